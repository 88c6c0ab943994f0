import { expect, test, vi } from 'vitest'
import { NotAccepted, sumOf, uploadQueue } from './uploadQueue.ts'

const file = (name: string, bytes = 10): File => new File(['x'.repeat(bytes)], name)
const named = (...names: string[]) => names.map((name) => ({ file: file(name) }))
const over = (queue: ReturnType<typeof uploadQueue>) => vi.waitFor(() => expect(sumOf(queue.uploads()).left).toBe(0))
const statesOf = (queue: ReturnType<typeof uploadQueue>) => Object.fromEntries(queue.uploads().map((one) => [one.file.name, one.state]))

test('at most four files travel at once, and all arrive', async () => {
  let now = 0
  let most = 0
  const queue = uploadQueue(async () => {
    most = Math.max(most, ++now)
    await Promise.resolve()
    now--
  })
  queue.add(Array.from({ length: 25 }, (_, at) => ({ file: file(`${at}.jpg`) })))
  await over(queue)
  expect(most).toBe(4)
  expect(sumOf(queue.uploads())).toMatchObject({ files: 25, done: 25, failed: 0, bytes: 250, sent: 250 })
})

test('one that fails stops no other, says why, and is sent again when asked', async () => {
  let broken = true
  const queue = uploadQueue(async ({ name }) => {
    if (name === 'b.jpg' && broken) throw new NotAccepted('no face', true)
  })
  queue.add(named('a.jpg', 'b.jpg', 'c.jpg'))
  await over(queue)
  expect(statesOf(queue)).toEqual({ 'a.jpg': 'done', 'b.jpg': 'failed', 'c.jpg': 'done' })
  const failed = queue.uploads().find(({ state }) => state === 'failed')!
  expect(failed).toMatchObject({ reason: 'no face', canRetry: true })
  broken = false
  queue.retry([failed.id])
  await over(queue)
  expect(sumOf(queue.uploads())).toMatchObject({ done: 3, failed: 0 })
})

test('one under way is cancelled and the next takes its place; those that wait are never sent', async () => {
  const sent: string[] = []
  const queue = uploadQueue(({ name }, signal) => {
    sent.push(name)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))))
  })
  queue.add(named('1', '2', '3', '4', '5', '6'))
  expect(sent).toEqual(['1', '2', '3', '4'])
  queue.cancel(queue.uploads()[0]!.id)
  await vi.waitFor(() => expect(sent).toEqual(['1', '2', '3', '4', '5']))
  queue.cancelAll()
  await over(queue)
  expect(sent).toEqual(['1', '2', '3', '4', '5'])
  expect(sumOf(queue.uploads())).toMatchObject({ cancelled: 6, bytes: 0 })
  queue.clear()
  expect(queue.uploads()).toEqual([])
})

test('what is refused at once is listed with its reason and never sent; the order is the caller’s', async () => {
  const sent: string[] = []
  const queue = uploadQueue(
    async ({ name }) => void sent.push(name),
    ({ name }) => (name.endsWith('.csv') ? 0 : 1),
  )
  queue.add([{ file: file('1.jpg') }, { file: file('big.csv'), refused: 'too large' }, { file: file('rows.csv') }])
  await over(queue)
  expect(sent).toEqual(['rows.csv', '1.jpg'])
  expect(queue.uploads().find(({ state }) => state === 'failed')).toMatchObject({ reason: 'too large', canRetry: false })
})
