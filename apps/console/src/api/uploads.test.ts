import { expect, test } from 'vitest'
import { pendingUploads } from './uploads.ts'

test('whoever waits for uploads waits for those begun meanwhile too, and hears of one that was not taken', async () => {
  const uploads = pendingUploads()
  expect([uploads.any(), await uploads.settled()]).toEqual([false, true])

  const [first, second] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
  uploads.note(first.promise)
  let answer: boolean | null = null
  const waiting = uploads.settled().then((taken) => (answer = taken))
  uploads.note(second.promise)
  first.resolve(false)
  await first.promise
  expect([uploads.any(), answer]).toEqual([true, null])
  second.resolve(true)
  expect(await waiting).toBe(false)
  expect([uploads.any(), await uploads.settled()]).toEqual([false, true])
})
