"""Two texts that a published model of the book wrote.

References
----------
christianb93, "Mastering large language models – Part VII: War and Peace", which prints both, of 500 characters, and
says of them that all words are valid English and that sentences begin with a capital letter. The model is the LSTM
of the repository christianb93/MLLM, at its default settings; its text has no quotation marks and no apostrophes.
"""

SAMPLES = (
    "She went away and down the state of a sense of self-sacrifice. The officers who rode "
    "away and that the soldiers had been the front of the position of the room, and a smile"
    " he had been free to see the same time, as if they were struck with him. The ladies "
    "galloped over the shoulders and in a bare house. I should be passed about so that the "
    "old count struck him before. Having remembered that it was so down in his bridge and "
    "in the enemys expression of the footman and promised to reach the old",
    "Thats a wish to be a continued to be so since the princess in the middle of such "
    "thoughts of which it was all would be better. Seeing the beloved the contrary, and do "
    "not about that a soul of the water. The princess wished to start for his mother. He "
    "was the princess and the old colonel, but after she had been sent for him when they "
    "are not being felt at the ground of her face and little brilliant strength. The "
    "village of Napoleon was stronger difficult as he came to him and asked the account",
)
