import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { IncompatibleModel } from '../match.ts'
import { GalleryWorker, startGalleryThread } from './gallery-worker.ts'
import type { GalleryOptions } from './gallery.ts'
import { PersonList } from './person-list.ts'
import { MODEL, byTryingEverything, entryOf, seededNumbers } from './testing/galleries.ts'

const entry = (personId: string, photoId: string, ...numbers: number[]) => entryOf(4, personId, photoId, numbers)
const probe = (...numbers: number[]) => entry('', '', ...numbers)
const personsOf = (matches: readonly { personId: string }[]) => matches.map(({ personId }) => personId)

const open: GalleryWorker[] = []
afterEach(() => Promise.all(open.splice(0).map((gallery) => gallery.close())))

function start(
  options: Partial<GalleryOptions> & { onDeath?: (error: Error) => void; listedMax?: number } = {},
  thread?: (options: GalleryOptions) => Worker,
): GalleryWorker {
  const gallery = new GalleryWorker({ modelId: MODEL, dimensions: 4, ...options }, thread)
  open.push(gallery)
  return gallery
}

test('a search sees everything told before it, and nothing told after', async () => {
  const gallery = start()
  gallery.add('park', [entry('ann', '1', 0.1), entry('bob', '1', 0.2), entry('bob', '2', 0.05), entry('cid', '1', 0.3)])
  const all = gallery.search('park', probe())
  gallery.remove('park', [{ personId: 'bob', photoId: '2' }, { personId: 'cid' }])
  const fewer = gallery.search('park', probe())
  gallery.add('other', [entry('dan', '1', 0.1)])
  gallery.drop('park')
  const none = gallery.search('park', probe())
  const answers = await Promise.all([all, fewer, none, gallery.search('other', probe())])
  expect(answers.map(personsOf)).toEqual([['bob', 'ann', 'cid'], ['ann', 'bob'], [], ['dan']])
  expect([gallery.size('park'), gallery.size('other'), gallery.size()]).toEqual([0, 1, 1])
  expect((await gallery.memory()).templates).toBe(1)
})

test('limit, distance, persons left out and the only ones meant reach the thread', async () => {
  const gallery = start()
  gallery.add(
    'park',
    ['a', 'b', 'c', 'd'].map((personId, i) => entry(personId, '1', i)),
  )
  expect(personsOf(await gallery.search('park', probe(), { limit: 2 }))).toEqual(['a', 'b'])
  expect(personsOf(await gallery.search('park', probe(), { within: 2, except: new Set(['b']) }))).toEqual(['a', 'c'])
  expect(personsOf(await gallery.search('park', probe(), { only: new Set(['d', 'b', 'nobody']) }))).toEqual(['b', 'd'])
})

test('a list of persons is told once, and again where the thread has forgotten it for others', async () => {
  const kinds: string[] = []
  const gallery = start({ listedMax: 4 }, (options) => {
    const thread = startGalleryThread(options)
    const post = thread.postMessage.bind(thread)
    thread.postMessage = (task: { kind: string }, ...more) => {
      kinds.push(task.kind)
      post(task, ...more)
    }
    return thread
  })
  gallery.add(
    'park',
    ['a', 'b', 'c', 'd'].map((personId, i) => entry(personId, '1', i)),
  )
  const lists = ['bd', 'ac', 'cd', 'abcd', 'abcdef'].map((ids) => new PersonList(ids))
  const first = async (list: PersonList) => personsOf(await gallery.search('park', probe(), { only: list }))
  const listsSent = () => kinds.filter((kind) => kind === 'list').length
  for (let time = 0; time < 3; time++) expect(await first(lists[0]!)).toEqual(['b', 'd'])
  expect(await first(lists[1]!)).toEqual(['a', 'c'])
  expect(await first(lists[0]!)).toEqual(['b', 'd'])
  expect(listsSent()).toBe(2)
  for (const [at, list] of lists.entries())
    expect(await first(list)).toEqual([['b', 'd'], ['a', 'c'], ['c', 'd'], [...'abcd'], [...'abcd']][at])
  // The first two were known; the longest is kept alone.
  expect(listsSent()).toBe(5)
  expect(await first(lists[0]!)).toEqual(['b', 'd'])
  expect(listsSent()).toBe(6)
})

test('many probes at once find what each finds by itself', async () => {
  const gallery = start({ dimensions: 32 })
  const next = seededNumbers(5)
  const entries = Array.from({ length: 300 }, (_, i) => entryOf(32, `p${i}`, 'f', Array.from({ length: 32 }, next)))
  gallery.add('park', entries)
  const probes = Array.from({ length: 40 }, () => entryOf(32, '', '', Array.from({ length: 32 }, next)))
  const except = new Set(['p7', 'p8'])
  // Few of them, and most: the search goes about it differently.
  for (const size of [5, 250]) {
    const only = new Set(Array.from({ length: size }, (_, i) => `p${i}`))
    const meant = entries.filter(({ personId }) => only.has(personId) && !except.has(personId))
    const expected = probes.map(({ embedding }) => byTryingEverything(meant, embedding).slice(0, 3))
    expect(await gallery.searchEach('park', probes, { limit: 3, except, only })).toEqual(expected)
    expect(await Promise.all(probes.map((one) => gallery.search('park', one, { limit: 3, except, only })))).toEqual(expected)
  }
  expect(await gallery.searchEach('nowhere', probes.slice(0, 2), { limit: 3, except, only: except })).toEqual([[], []])
})

test('searches stay right while others add and remove', async () => {
  const gallery = start({ dimensions: 32 })
  const next = seededNumbers(3)
  const person = (i: number) => entryOf(32, `p${i}`, 'f', Array.from({ length: 32 }, next))
  const kept = Array.from({ length: 500 }, (_, i) => person(i))
  gallery.add('park', kept)
  const questions = Array.from({ length: 200 }, (_, i) => {
    const added = person(1000 + i)
    gallery.add('park', [added])
    kept.push(added)
    const [gone] = kept.splice((i * 7) % kept.length, 1)
    gallery.remove('park', [{ personId: gone!.personId }])
    return { asked: gallery.search('park', added), expected: byTryingEverything(kept, added.embedding) }
  })
  for (const { asked, expected } of questions) expect(await asked).toEqual(expected)
})

test('the caller keeps its numbers, and what is refused is refused whole', async () => {
  const gallery = start()
  const ann = entry('ann', '1', 0.1)
  gallery.add('park', [ann])
  expect(ann.embedding[0]).toBeCloseTo(0.1)
  expect(() => gallery.add('park', [entry('bob', '1', 0.2), entry('cid', '1', NaN)])).toThrow(RangeError)
  expect(() => gallery.add('park', [{ ...ann, modelId: 'other' }])).toThrow(IncompatibleModel)
  expect(personsOf(await gallery.search('park', ann))).toEqual(['ann'])
  await expect(gallery.search('park', probe(Infinity))).rejects.toThrow(RangeError)
  await expect(gallery.search('park', { ...ann, modelId: 'other' })).rejects.toThrow(IncompatibleModel)
})

test('a segment without room for everybody answers nothing until it is filled anew; others go on', async () => {
  const gallery = start({ dimensions: 128, bytes: 2_000_000 })
  const persons = (count: number) => Array.from({ length: count }, (_, i) => entryOf(128, `p${i}`, 'f', [i]))
  gallery.add('small', persons(10))
  gallery.add('large', persons(10_000))
  await expect(gallery.search('large', persons(1)[0]!)).rejects.toThrow(/the gallery is full/)
  expect(personsOf(await gallery.search('small', persons(1)[0]!, { limit: 1 }))).toEqual(['p0'])
  gallery.drop('large')
  gallery.add('large', persons(100))
  expect(await gallery.search('large', persons(1)[0]!)).toHaveLength(5)
})

describe('a thread that is gone', () => {
  test('rejects what waits and what comes, and is told once', async () => {
    const deaths: string[] = []
    let thread!: Worker
    const gallery = start({ onDeath: ({ message }) => deaths.push(message) }, (options) => (thread = startGalleryThread(options)))
    await gallery.memory()
    // Asked before its end: a thread that still runs may be quick enough to answer.
    const ended = thread.terminate()
    const waiting = gallery.search('park', probe())
    await Promise.all([expect(waiting).rejects.toThrow('the search thread ended'), ended])
    await expect(gallery.search('park', probe())).rejects.toThrow('the search thread ended')
    expect(() => gallery.add('park', [entry('ann', '1')])).toThrow('the search thread ended')
    expect(deaths).toEqual(['the search thread ended with code 1'])
  })

  test('names the fault it died of', async () => {
    const deaths: unknown[] = []
    const gallery = start(
      { onDeath: (error) => deaths.push(error.cause) },
      () => new Worker('throw new TypeError("broken")', { eval: true, execArgv: [] }),
    )
    await expect(gallery.search('park', probe())).rejects.toThrow('the search thread failed')
    expect(deaths).toEqual([expect.objectContaining({ message: 'broken' })])
  })

  test('that was closed on purpose is no death', async () => {
    const deaths: Error[] = []
    const gallery = start({ onDeath: (error) => deaths.push(error) })
    const waiting = gallery.search('park', probe())
    await Promise.all([expect(waiting).rejects.toThrow('the gallery is closed'), gallery.close()])
    await expect(gallery.memory()).rejects.toThrow('the gallery is closed')
    expect(() => gallery.drop('park')).toThrow('the gallery is closed')
    expect(deaths).toEqual([])
  })
})
