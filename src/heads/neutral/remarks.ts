/** Remarks, chat and pieces of news that ask nothing of anybody's runtime, in our own words: one a line. */
export const REMARKS = `
the roses came out early this year
my sister is moving to the coast next spring
i finally finished that jigsaw
honestly i did not expect him to say that
the soup was too salty but nobody minded
we walked along the dunes until it got dark
haha that is exactly what my uncle would do
sorry i was in the shower
good morning everyone
that was a long meeting
i think the blue one suits you better
the neighbours are drilling again
he never liked olives
we should really do this more often
the baby slept through for the first time
nobody told me there would be dancing
i am so tired of this rain
thanks for yesterday it was lovely
the train was packed and i had to stand
you were right about the ending
my knee hurts since the hike
they painted the fence green
i dreamt about our old school
she laughed so hard she dropped the cake
just landed and it is freezing here
the dog ate half of my sandwich
congratulations on the new job
no idea where that came from
i miss the old bakery on the corner
the kids built a fort out of cushions
we ran out of coffee at the office
he says the roof will hold another winter
it was not as bad as people said
i keep forgetting her name
the concert was cancelled at the last minute
what a goal in the last second
there is a fox in our garden
grandma sends her love
the paint on the door is still wet
nice weather for a walk
the strike ended after three days of talks
farmers fear another dry summer
the council voted against the new car park
a rare stamp was found in an attic
two climbers were rescued from the ridge
the old cinema will become a library
scientists found water under the crater
prices of timber rose by a tenth
the minister stepped down on tuesday
the orchestra played without a conductor
a whale was seen near the harbour
the bridge will be closed for half a year
the prize went to a poet from iceland
researchers taught a robot to peel prawns
the river reached its highest level in a decade
the team lost its captain before the derby
the novel tells of three sisters on an island
the exhibition shows maps of the seventeenth century
archaeologists uncovered a mosaic floor
the comet can be seen with bare eyes this week
the festival drew fewer visitors than last year
the company opened a plant in the north
the mayor cut the ribbon in the rain
the vote was closer than anyone thought
critics call it the film of the year
in the second chapter the narrator turns out to be the thief
knead the dough until it no longer sticks to the bowl
let the glue dry overnight before sanding the edge
the second violins enter four bars later
moss grows best on the shady side
the treaty was signed in a railway carriage
a triangle with two equal sides has two equal angles
the enzyme breaks starch down into sugar
the harbour froze over in the winter of that year
cut the stems at an angle and change the water daily
the knight moves two squares and then one to the side
her early poems were printed under another name
the glacier has lost a third of its length
these boots are made of reindeer leather
copper turns green when it weathers
the monks brewed beer for the whole valley
never store potatoes next to onions
the plural of ox is oxen
most of the island is covered in heather
the second law says that entropy never shrinks
he was known for his bright ties and his bad temper
the recipe serves six and freezes well
a good hammer should feel like part of your arm
the village has one pub and no shop
their third album was recorded in a barn
the jury could not agree on a winner
every spring the storks come back to the same chimney
the lighthouse keeper wrote down every ship
it took them nine years to build the dam
i wonder whether he ever got that letter
somebody left a red umbrella in the hall
they argued about the will for a decade
the choir practises in the old fire station
the teacher caught them passing notes
i could never live on a boat
my first car had no heating at all
we always spent august at the lake
that joke was old when i was young
everybody clapped except the front row
he collects beer mats from all over the world
lol same here
brb someone is at the door
see you there then
not sure i agree with that
ok fine you win
that makes two of us
well that escalated
oh no poor thing
never mind i found it
i will think about it and come back to you
`
