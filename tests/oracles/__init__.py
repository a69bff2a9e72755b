"""Judges that are not this package: engines of other people, and checks that share no code with the rewriter."""
