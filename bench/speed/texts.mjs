/** Phrases and events for the speed benchmarks: made by a grammar in our own words, or read from a folder of public sets. The same in every run. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const VERBS = 'open close start stop lock unlock lower raise archive print pause resume mute check water feed charge cancel book renew translate measure clean repair paint empty fill label scan weigh move sort rename copy rotate dim test polish wrap'.split(' ')
const THINGS = 'console garage heating blinds printer lamp alarm boiler notes timer calendar invoice ticket playlist camera fountain greenhouse aquarium pantry archive contract parcel bicycle kettle oven window shutter scanner backup server pipeline report survey album letter passport locker elevator turbine compost'.split(' ')
const PLACES = 'kitchen|cellar|attic|office|workshop|garden|hallway|garage annex|second floor|guest room|summer house|boat shed|library|laboratory|school gym|north wing|south wing|lobby|rooftop|courtyard|barn|studio|archive room|break room|server room|loading dock|green room|clinic|bakery|nursery|vineyard|mill|chapel|marina|warehouse|canteen|mail room|foyer|press box|stable|darkroom|wine cellar|boiler house|tool shed|reading corner|map room|west gate|east gate|terrace|ferry office|quarry|pier|lighthouse|orchard|museum shop|cinema|bowling alley|theatre bar|ticket hall|depot|sauna|pool house|gatehouse|cabin'.split('|')

/** @returns {{ name: string, utterances: string[] }[]} `count` distinct phrases, `each` a route */
export function madeRoutes(count, each = 10) {
  const routes = []
  for (let place = 0; place < PLACES.length; place += each) {
    for (const verb of VERBS) {
      for (const thing of THINGS) {
        const utterances = PLACES.slice(place, place + each).map(where => `${verb} the ${thing} in the ${where}`)
        routes.push({ name: `${verb}-${thing}-${place}`, utterances })
        if (routes.length * each >= count) return routes
      }
    }
  }
  return routes
}

const WRAPPERS = ['please {}', 'could you {}', '{} now please', 'hey, {}', 'can you {} for me', 'okay, {}', 'would you kindly {}', '{} thanks']
const CHATTER = ['the {1} was {0}ed by somebody before the meeting', 'did the {1} in the {2} ever {0} itself?', 'nobody should {0} a {1} near the {2}', 'build log: {1} module finished, {2} cache warm', 'she said the {1} at the {2} looks tired', 'why does the {2} smell of {1}?', 'new comment on "{1} and {2}": looks good to me', '{2}: {1} temperature is normal today']

/** Distinct texts that ask for a phrase. `salt` makes another set. */
export function hits(routes, count, salt = 0) {
  const all = routes.flatMap(route => route.utterances)
  return Array.from({ length: count }, (_, i) => {
    const n = i + salt * count
    const wrapper = WRAPPERS[n % WRAPPERS.length]
    return wrapper.replace('{}', all[(n * 7919 + salt) % all.length])
  })
}

/** Distinct texts that ask for nothing. */
export function misses(count, salt = 0) {
  return Array.from({ length: count }, (_, i) => {
    const n = i + salt * count
    const words = [VERBS[n % VERBS.length], THINGS[(n * 13 + salt) % THINGS.length], PLACES[(n * 31 + salt) % PLACES.length]]
    return `${CHATTER[n % CHATTER.length].replace(/\{(\d)\}/g, (_, place) => words[place])} (${n})`
  })
}

/** Distinct texts of the public sets below a folder, and the same with small changes until there are `count`. */
export function realTexts(dir, count) {
  const texts = new Set()
  const read = folder => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) read(path)
      else if (entry.name.endsWith('.jsonl.gz')) {
        for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n')) {
          if (line === '') continue
          const { text } = JSON.parse(line)
          if (typeof text === 'string' && text.length < 300) texts.add(text)
        }
      }
    }
  }
  if (!existsSync(dir)) throw new Error(`there is no folder ${dir}`)
  read(dir)
  const real = [...texts]
  for (let round = 0; texts.size < count; round++) {
    for (const text of real) {
      if (texts.size >= count) break
      texts.add(WRAPPERS[(round + text.length) % WRAPPERS.length].replace('{}', text))
    }
    if (round > WRAPPERS.length) break
  }
  return [...texts].slice(0, count)
}
