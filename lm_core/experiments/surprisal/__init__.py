"""How surprised the shipped language models are by texts of different kinds."""
