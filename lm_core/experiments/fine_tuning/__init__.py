"""Fine-tuning: what a pretrained encoder gives four tasks, by the number of labelled examples."""
