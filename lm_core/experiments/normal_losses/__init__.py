"""What losses are normal: the recipes that a visitor may train, each from several seeds."""
