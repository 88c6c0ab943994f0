import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ChangedMessage } from '@gatehouse/contract/device/protocol-status'
import { TAMPERED, type StoredPersons } from './stored-persons.ts'
import { startPulling } from './pulling.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => void vi.useRealTimers()
})

const announcement = (head: number): ChangedMessage => ({ revision: 'r', audience: 'a', head, digest: '0'.repeat(16) })

/** Pulls that end when the test says so, for a device that stores what `holds` returns. */
function pulling() {
  const pulls: { target: ChangedMessage | null; end: (error?: Error) => void }[] = []
  const device = { holds: 0, counted: true, counts: 0, reports: 0, whole: true, mayPass: false, fits: true }
  const stored = {
    holdings: { counts: () => ({ persons: 0, failed: 0 }), revision: () => 'r' },
    state: () => (device.whole ? {} : null),
    verify: async () => device.fits,
    recount() {
      device.counts++
      return device.counted
    },
  } as unknown as StoredPersons
  const sentences: string[] = []
  const handle = startPulling({
    synchroniser: {
      mayPass: () => device.mayPass,
      differs: ({ head }) => head !== device.holds || !device.counted,
      pull: (message) =>
        new Promise<void>((resolve, reject) => {
          pulls.push({
            target: message,
            end(error) {
              if (error) return reject(error)
              device.holds = message?.head ?? device.holds
              device.counted = true
              resolve()
            },
          })
        }),
    },
    stored,
    log: (sentence) => void sentences.push(sentence),
    random: () => 0.5,
    report: async () => void device.reports++,
  })
  onTestFinished(async () => {
    const stopped = handle.stop()
    pulls.at(-1)?.end()
    await stopped
  })
  return { pulls, device, sentences, ...handle }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

test('one pull at a time; of what is told meanwhile the newest counts', async () => {
  const { pulls, device, announced: announce } = pulling()
  for (const head of [1, 2, 3]) announce(announcement(head))
  await settle()
  expect(pulls.map((pull) => pull.target?.head)).toEqual([1])
  pulls[0]!.end()
  await settle()
  expect(pulls.map((pull) => pull.target?.head)).toEqual([1, 3])
  pulls[1]!.end()
  await settle()
  expect([pulls.length, device.reports]).toEqual([2, 2])
})

test('what is held already is not pulled again', async () => {
  const { pulls, device, announced: announce } = pulling()
  device.holds = 4
  announce(announcement(4))
  await settle()
  expect(pulls).toEqual([])
})

test('a pull that fails is tried again after a while, and said', async () => {
  const { pulls, sentences, announced: announce } = pulling()
  announce(announcement(1))
  await settle()
  pulls[0]!.end(new Error('The server is away.'))
  await vi.advanceTimersByTimeAsync(1_900)
  expect(pulls).toHaveLength(1)
  expect(sentences).toEqual(['The persons cannot be brought up to date: The server is away.'])
  await vi.advanceTimersByTimeAsync(200)
  expect(pulls).toHaveLength(2)
})

test('a server that tells nothing after the connection is asked by who holds nothing yet', async () => {
  const content = pulling()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(content.pulls).toEqual([])

  const { pulls, device } = pulling()
  device.whole = false
  await vi.advanceTimersByTimeAsync(19_000)
  expect(pulls).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(pulls.map((pull) => pull.target)).toEqual([null])
})

test('who could not be taken for no fault of his is asked for again, soon at first, then seldom', async () => {
  const { pulls, device, announced: announce } = pulling()
  device.mayPass = true
  announce(announcement(1))
  await settle()
  pulls[0]!.end()
  await vi.advanceTimersByTimeAsync(4_900)
  expect(pulls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(pulls.map((pull) => pull.target)).toEqual([announcement(1), null])
  pulls[1]!.end()
  await vi.advanceTimersByTimeAsync(5_100)
  expect(pulls).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(pulls).toHaveLength(3)
  device.mayPass = false
  pulls[2]!.end()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(pulls).toHaveLength(3)
})

test('every hour the digest is counted anew and the server asked, whatever it told last', async () => {
  const { pulls, device, sentences, announced: announce } = pulling()
  device.holds = 7
  announce(announcement(7))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect([device.counts, ...pulls.map((pull) => pull.target)]).toEqual([1, null])
  expect(sentences).toEqual([])
  pulls[0]!.end()
  device.counted = false
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect([device.counts, ...pulls.map((pull) => pull.target)]).toEqual([2, null, null])
  expect(sentences.join()).toMatch(/counted anew/)
})

test('every hour what is kept is looked through, and what does not fit is said', async () => {
  const { pulls, device, sentences, announced: announce } = pulling()
  device.holds = 7
  announce(announcement(7))
  device.fits = false
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(sentences).toEqual([TAMPERED])
  expect(pulls.map((pull) => pull.target)).toEqual([null])
})
