"""The same models, asked: tasks with none, one or many examples in the prompt."""
