"""What the pages on clusters share: the points that are clustered, and their pictures."""
