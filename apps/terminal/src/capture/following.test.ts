import { describe, expect, test } from 'vitest'
import { createFollower, type Track } from './following.ts'

interface Seen {
  who: string
  box: { x: number; y: number; width: number; height: number }
}

const at = (who: string, x: number, y = 100, side = 60): Seen => ({
  who,
  box: { x: x - side / 2, y: y - side / 2, width: side, height: side },
})

/** Show pictures, `every` milliseconds apart; return whose faces each track followed, and who left. */
function follow(pictures: readonly (readonly Seen[])[], every = 100) {
  const follower = createFollower<Seen>()
  const whose = new Map<Track, Set<string>>()
  const left: Track[] = []
  pictures.forEach((picture, index) => {
    const followed = follower.see(picture, index * every)
    for (const { track, sighting } of followed.found) whose.set(track, (whose.get(track) ?? new Set()).add(sighting.who))
    left.push(...followed.left)
  })
  return { whose: [...whose.values()].map((names) => [...names].join('+')), left, tracks: [...whose.keys()] }
}

const steps = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('following', () => {
  test('somebody who walks by is one track, from the first picture to the last', () => {
    const { whose, left, tracks } = follow([...steps(20).map((step) => [at('a', 30 + 25 * step)]), ...steps(12).map(() => [])])
    expect(whose).toEqual(['a'])
    expect(left).toEqual(tracks)
    expect(tracks[0]).toMatchObject({ enteredAt: 0, seenAt: 1_900, sightings: 20 })
  })

  test('two who cross each other keep their tracks, also while one hides the other', () => {
    const crossing = steps(21).map((step) => {
      const both = [at('right', 60 + 24 * step, 100), at('left', 540 - 24 * step, 112)]
      // Faces on top of each other are found as one.
      return Math.abs(both[0]!.box.x - both[1]!.box.x) < 30 ? both.slice(0, 1) : both
    })
    expect(follow(crossing).whose.toSorted()).toEqual(['left', 'right'])
  })

  test('a gap shorter than a second is bridged on the way the face was going', () => {
    const walk = steps(24).map((step) => (step > 8 && step < 15 ? [] : [at('a', 40 + 22 * step)]))
    expect(follow(walk).whose).toEqual(['a'])
  })

  test('a face that was found once and then no more does not wait for whoever comes next', () => {
    const once = [[at('a', 60, 200)], [], [], [], [], [], [at('b', 60, 110)], [at('b', 90, 110)]]
    expect(follow(once).whose).toEqual(['a', 'b'])
  })

  test('a longer gap ends the track', () => {
    const walk = steps(30).map((step) => (step > 5 && step < 20 ? [] : [at('a', 40 + 10 * step)]))
    expect(follow(walk).whose).toEqual(['a', 'a'])
  })

  test('somebody who appears far from where somebody was lost is somebody else', () => {
    expect(follow([[at('a', 60)], [at('a', 80)], [at('b', 500)], [at('b', 480)]]).whose).toEqual(['a', 'b'])
  })

  test('a face that comes nearer and grows is followed; one of quite another size in its place is another', () => {
    const growing = steps(15).map((step) => [at('a', 320, 180, Math.round(40 * 1.09 ** step))])
    expect(follow(growing).whose).toEqual(['a'])
    expect(follow([[at('a', 320, 180, 40)], [at('a', 320, 180, 41)], [at('b', 320, 180, 160)]]).whose).toEqual(['a', 'b'])
  })

  test('few pictures a second suffice for somebody who walks', () => {
    const walk = steps(7).map((step) => [at('a', 60 + 85 * step)])
    expect(follow(walk, 300).whose).toEqual(['a'])
  })

  test('twenty at once are twenty', () => {
    const crowd = steps(10).map((step) =>
      steps(20).map((place) => at(`p${place}`, 60 + 110 * (place % 5) + 6 * step, 60 + 80 * Math.floor(place / 5))),
    )
    expect(follow(crowd).whose).toEqual(steps(20).map((place) => `p${place}`))
  })

  test('the end of the stream ends all tracks', () => {
    const follower = createFollower<Seen>()
    follower.see([at('a', 100), at('b', 400)], 0)
    expect(follower.end()).toHaveLength(2)
    expect(follower.end()).toEqual([])
  })
})
