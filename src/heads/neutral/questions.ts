/** Questions and wishes that hardly any route is for, in our own words: one a line. */
export const QUESTIONS = `
who painted the ceiling of that chapel in rome
why do cats purr when they are hurt
how deep is the deepest lake on earth
what do bees do in winter
which planet has the most moons
how did people keep food fresh before fridges
is a tomato a fruit or a vegetable
who was the first woman to fly across an ocean
what makes bread rise
why is the sea salty
how many bones does a shark have
what language do they speak in the alps
how old do elephants get
what would happen if the moon were gone
when did the roman empire fall
what is the difference between a crow and a raven
how are pearls made
who invented the zip
why do leaves turn red
which river runs through most countries
how long does light take from the sun to us
can fish sleep
what did the vikings eat
why does hot water sometimes freeze faster
how do you say goodbye in hungarian
what is the tallest tree ever found
who wrote the story about the white whale
are there still castles that people live in
how is glass blown
what is the smallest country with its own army
why do we yawn when others do
what does a notary actually do
how many strings has a harp
where do swallows go in autumn
what is the plot of that film with the two magicians
do plants feel pain
who won the final the year i was born
what is the meaning of the word serendipity
how does a lock on a canal work
why is yawning catching
what should i read next if i liked russian novels
how would you explain gravity to a child
should i learn the violin or the cello
what is a good name for a grey kitten
how can i get better at drawing hands
what do you think about modern art
is it rude to leave a party early
how do i get candle wax out of a rug
what is the best way to peel garlic
how often should you water a cactus
can you tell me something about the stone age
what are the rules of cricket in short
how do i know if my dog is happy
which muscles does rowing train
what can i do about hiccups
how do you fold a paper crane
what is the right way to sharpen a chisel
how do i stop my glasses from fogging up
what kind of wood is good for a chopping board
why does my bicycle chain keep slipping
how much does a litre of paint cover
are mushrooms from the garden safe to eat
what helps against moths in a wardrobe
how do you train for a first marathon
which side of the road do they drive on in malta
what was school like in the fifties
how did the printing press change the world
why was the tower built on soft ground
who decides what a word means
what is the oldest song still sung
how do historians date a manuscript
is there life in the deep ocean vents
what does a conductor do that the players cannot
why are flamingos pink
how do magnets know which way is north
what happens inside a volcano before it erupts
who owns the north pole
how big can a hailstone get
what did dinosaurs sound like
can you beat a computer at chess these days
how many people speak latin today
why do some people sneeze in bright light
what is dark matter supposed to be
how do you become a lighthouse keeper
which countries have no rivers at all
what is the use of a town crier
how does soap remove grease
who came up with daylight saving
why do old books smell like that
how does one join the volunteer fire brigade
what is the average wage of a carpenter
how is the economy of the region doing
did the share price of the car maker fall again
what is the population of the capital
who is running in the next election
which team bought the young striker
what do critics say about the new opera
how much did the painting sell for
why did the two bands split up
who plays the detective in the series
what time period is the museum about
how large is the biggest telescope
is the ferry museum worth a visit
what did the judge say in the end
are there any reviews of that vacuum cleaner
which laptop is better for a student
how reliable are used electric cars
what size of tent do four people need
do i need a permit to build a shed
how do i dispute a parking fine
what does a surveyor charge for a house
how long is paternity leave
can my landlord raise the rent twice
what is the penalty for late filing
which degree do i need to become a nurse
how do i write a letter of resignation
where can i give blood
what papers do i need to adopt a child
how do i change the name on my deed
can i get my old school reports
who do i call about a dead badger in the road
is there a way to trace a lost parcel from abroad
where could i learn pottery around here
`
