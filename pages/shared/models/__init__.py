"""Access to models, tokenizers and translators, which all visitors of a process share."""
