"""Small recurrent networks that learn to name the first of twenty digits."""
