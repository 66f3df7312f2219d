"""What was asked and done lately, so that it can be judged, repeated or taken back."""
