"""Texts to begin with, written for this page: sixty sentences to be labelled, and one for each head."""

LABELS = ("calm", "agitated")
SENTENCES = (
    "The old countess sat by the window and sorted her wool.",
    "A shell burst behind the carts, and the horses bolted.",
    "He closed his book, smiled, and wished everyone good night.",
    '"Let me go to him at once!" cried Natasha, seizing the door.',
    "Snow fell softly on the roofs of the sleeping village.",
    "The adjutant galloped along the line, shouting for the reserves.",
    "They drank their tea slowly and spoke of the harvest.",
    "She tore the letter in two and threw it into the fire.",
    "The princess embroidered in silence while the clock ticked.",
    "Somebody screamed in the yard, and all the dogs began to bark.",
    "The regiment halted by the river and the men boiled their porridge.",
    "Pierre struck the table so hard that the glasses jumped.",
    "The steward read out the accounts of the spring sowing.",
    "Cannon thundered beyond the wood without a moment's pause.",
    "The children had fallen asleep on the sofa in the nursery.",
    "He ran bareheaded through the rain, calling her name.",
    "An officer leaned on the fence and looked at the quiet fields.",
    "The crowd surged forward, and the gate gave way with a crash.",
    "Her father nodded, put on his spectacles and took up the newspaper.",
    "The hussars charged down the slope with a wild cheer.",
    "Candles were brought into the drawing room, and the guests sat down to cards.",
    '"You lie!" he shouted, turning quite white.',
    "The general yawned and asked for another cup of coffee.",
    "A wounded boy clutched at the doctor's sleeve and sobbed.",
    "The carriage rolled gently along the avenue of lime trees.",
    "With trembling hands she searched every drawer of the desk.",
    "The scouts lay in the warm hay and counted the stars.",
    "The bridge was burning, and still the infantry pressed on.",
    "Old Semyon mended the harness on the porch, humming to himself.",
    "She burst into tears and rushed out of the room.",
    "The prince went through the papers one by one and signed them.",
    "A bullet whistled past, and the colonel fell from his saddle.",
    "In the evening they played a quiet trio in the library.",
    '"Fire! The barn is on fire!" somebody yelled in the dark.',
    "The abbot received his visitors with a mild and even voice.",
    "He could not sleep, and paced the room until the morning.",
    "The soldiers washed their shirts in the stream and sang.",
    "Everyone leapt up when the messenger staggered into the hall.",
    "The nurse told the same tale that she told every winter.",
    "The enemy's cavalry broke into the square, hacking right and left.",
    "A thin smoke rose straight up from the chimneys of the estate.",
    "She snatched the child out of the sledge and ran.",
    "The clerk copied the order in his neat round hand.",
    "They quarrelled so loudly that the servants gathered at the door.",
    "The sentries walked up and down, and nothing stirred in the camp.",
    "His heart pounded as he climbed the dark staircase.",
    "Dinner was served at three, as on every other day.",
    "The ice cracked under the guns, and men and horses went down.",
    "Sonya watered the flowers and listened to the bees.",
    '"Forward, lads, forward!" the captain roared, waving his sword.',
    "The two old friends sat on the bench and said nothing for a long time.",
    "She slammed the lid of the piano and would not hear another word.",
    "A light wind moved the curtains of the empty ballroom.",
    "The prisoners were driven out into the frost with blows and curses.",
    "Grandfather dozed in his armchair with the cat upon his knees.",
    "The doctor flung open the door and demanded hot water.",
    "The fishermen drew in their nets as the sun went down.",
    "The drums beat the alarm, and the tents emptied in a minute.",
    "They walked back from church through the ripening rye.",
    "He fell on his knees before her and begged to be forgiven.",
)
"""In an order in which the first twenty have some of any two kinds that one may think of."""

PASSAGES = (
    "Well, we tied the raft under the willows and I says we best lay low till dark, because them fellows"
    " was still a-hunting up and down the shore.",
    "It was generally agreed in the village that a gentleman so well provided for must be in want of good"
    " advice, and every lady felt herself bound to give it.",
    "The fog came up from the river and got into the lanterns and the clerks, until the very soup seemed to"
    " be a sort of fog.",
    "Sincerity, my dear boy, is a charming vice in the young; in the old it is merely a want of imagination"
    " and of a really good tailor.",
)
PAIRS = (
    (
        "Pierre opened the letter and read it twice.",
        "Then he put it into his pocket and left the room.",
    ),
    ("Pierre opened the letter and read it twice.", "The whale rose once more beside the ship."),
    (
        '"Where have you been all night?" she asked.',
        '"At the club," he answered without looking at her.',
    ),
)
TAGGED = (
    "The old prince was walking slowly through the dark garden.",
    "The old man the boats while the young walk in the garden.",
    "She gave him a cold look, and he began to look for his hat.",
    "They can fish here, but nobody will can the fish.",
)
SPOKEN = (
    'Natasha ran up to Pierre and took him by the sleeve. "You must come with us," said Natasha, and'
    ' laughed. "I am too old for dancing," answered Pierre.',
    'The countess looked at Sonya and then at her son. "Who has taken my snuffbox?" asked the countess.'
    ' "It is in your hand, Mamma," replied Nikolai.',
)
