"""What the pages share: the only place for helpers of the user interface."""
