"""Language models for the lab: text, models, training, generation, evaluation.

Read in this order: `text` (corpora and vocabularies), `language_model` (the contract every model
keeps), `recurrent` and `ngrams` (the models), `training` (loop and checkpoints), `generation`
(the sampling chain), `evaluation` (the yardstick). Nothing here imports a user interface:
`python -m lm_core` and the pages are two consumers of the same functions.
"""
