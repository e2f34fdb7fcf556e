"""Order matters: from a bag of words to a memory."""

from lm_core.experiments.order_matters.models import expected, learn, read_by
from lm_core.experiments.order_matters.sentences import shifted, words_put_between
from lm_core.experiments.order_matters.sentiment import SentimentTraining
from lm_core.models.bag_of_words import BagOfWords
from lm_core.models.text_classifiers import BagClassifier, LSTMClassifier, WindowClassifier
from pages.order_matters.five_models import bag_window_memory
from pages.order_matters.shifted_by_one import inputs_and_targets
from pages.order_matters.words_that_decide import words_that_decide
from pages.shared import page

PARTS = [
    page.Part("Inputs and targets", inputs_and_targets, (shifted, expected, learn)),
    page.Part(
        "Bag, window, memory", bag_window_memory, (BagOfWords, learn, words_put_between, read_by)
    ),
    page.Part(
        "Words that decide",
        words_that_decide,
        (BagClassifier, WindowClassifier, LSTMClassifier, SentimentTraining),
    ),
]

page.draw(
    "order-matters",
    "*Dinosaurs are …* and *mice are …* end in the same word, so a model that reads one word back cannot know what"
    " comes. Others keep more of what they have read: all words without their order, the last few, or a memory.",
    PARTS,
)
