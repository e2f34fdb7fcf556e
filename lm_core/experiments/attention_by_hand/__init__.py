"""Attention in numbers small enough to follow: a printed example, scaling, parameters of heads."""
