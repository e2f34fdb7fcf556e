"""The small picture of each page, and what it shows, in words for anyone who cannot see it."""

from base64 import b64encode
from functools import cache

from lm_core.assets import THUMBNAILS

PICTURED = {
    "published-figures": "Each dot is a published figure; its colour says whether it holds here.",
    "perceptron": "Four points lie in the corners of a square, in two classes, and two lines part them.",
    "optimisers": "Three optimisers go down a curved valley on ways of their own; within 60 steps only momentum comes near its lowest point.",
    "gradients": "Three lines go over thirty layers: towards the first layer one gradient shrinks to nothing, two stay nearly level.",
    "overfitting": "Two losses fall at first; later one keeps falling, and the other turns and rises.",
    "convolution": "The squares of a small grid are orange where a filter answers positively, and blue where negatively.",
    "clustering": "A large and a small cloud of dots lie apart, each with its centre.",
    "number-of-clusters": "Each number of clusters from one to six has a score, and the lowest is marked.",
    "mixture-pitfalls": "The width of one component falls step by step until hardly anything is left of it.",
    "estimation": "An S-shaped curve is the truth, and the thin curves of many samples rise less steeply.",
    "thirty-runs": "Thirty dots are scattered, and the line of their mean stays away from a level line.",
    "tokenization": "The same sentence appears three times in coloured pieces: as words, as subwords and as characters.",
    "byte-pair-encoding": "A line rises: the more merges were learned, the more characters are in a token.",
    "embeddings": "Words of four subjects are dots, and nearly every word lies in the group of its subject.",
    "word2vec": "The loss falls, the more of the book has been read.",
    "n-grams": "Two lines rise with the length of the context; the contexts that were seen fall behind those that are possible.",
    "neural-language-model": "Letters are dots, and the vowels lie together with y, apart from the others.",
    "part-of-speech-tagging": "Two errors change with the width of the window: one rises, the other falls and stays low.",
    "model-ladder": "The larger a model, the lower mostly its loss; the dots have the colours of the models' families.",
    "order-matters": "With one word in between a window of two words falls to a guess; a recurrent network knows the word for longer, and falls with four.",
    "minimal-pairs": "With eight and twelve words between subject and verb a recurrent network gets fewer verbs right than with three; a transformer's line stays above it.",
    "rnn-vs-lstm": "Two curves of accuracy fall with the length of the sequence, the RNN's much earlier.",
    "inside-a-cell": "Two losses are drawn over the training: one network learns nothing, the other's loss falls close to zero.",
    "inside-a-writer": "The activation of one unit jumps up and down along a text.",
    "counting": "The loss falls steeply at first and then slowly.",
    "sequence-models": "Six words have a bar each: of the two longest, fewer than half of the letters are reversed correctly.",
    "encoder-decoder": "Translations of a growing sentence are rows of words, and the two longest have the most invented ones.",
    "attention": "The squares below a diagonal are dark where a head looks at a token.",
    "transformer-block": "Each stage is a column of orange and blue cells, and a line goes through all of them.",
    "cross-attention": "The diagonal of a grid is dark, because each translated word looks at its source.",
    "attention-by-hand": "Of nine bars of attention weights three are long, and the others are short.",
    "positional-encoding": "Waves fill a grid in blue and orange, fast ones at the left and slow ones at the right.",
    "ablations": "Three losses are drawn over the training: the whole model, one without residual connections, one without the mask.",
    "attention-cost": "Lines rise in seconds with the length of a text, most steeply where attention stores every score.",
    "war-and-peace": "The seven most probable next characters have a bar each; the first is marked, and the others get shorter.",
    "surprisal": "Words are tinted orange, and the strongest tint marks the word that was least expected.",
    "masked-language-model": "Five kinds of words have two accuracies each: with both sides of the gap it is higher than with the left alone.",
    "fine-tuning": "Accuracy rises with the number of examples: pretrained networks begin high, and a new one comes near them only with the most examples.",
    "reservoir-computing": "A prediction follows a wave closely.",
    "preferences": "Rewards rise with the distance from the first model, in a curve for each method.",
    "assistant": "Two accuracies are drawn over the number of examples in the prompt, and the tuned model is above.",
}
"""By address."""


@cache
def picture(address: str) -> str:
    """Return a page's picture as a browser takes it out of a message."""
    drawn = (THUMBNAILS / f"{address}.svg").read_bytes()
    return f"data:image/svg+xml;base64,{b64encode(drawn).decode()}"
