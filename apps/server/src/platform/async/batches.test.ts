import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBatches } from './batches.ts'

/** Batches that end when told. */
function manualBatches(itemsMax = 100) {
  const started: { key: string; items: readonly string[]; end(): void }[] = []
  const send = createBatches<string, string>(
    (key, items) =>
      new Promise((resolve) => {
        started.push({ key, items, end: () => resolve(items.map((item) => `${item} done`)) })
      }),
    itemsMax,
  )
  return { started, send }
}
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('one begins at once, and those that come meanwhile are the next batch, of their own key', async () => {
  const { started, send } = manualBatches(2)
  const answers = ['one', 'two', 'three', 'four'].map((item) => send('north', item))
  const other = send('south', 'five')
  expect(started.map(({ items }) => items)).toEqual([['one'], ['five']])
  started[1]!.end()
  expect(await other).toBe('five done')
  started[0]!.end()
  await settled()
  started[2]!.end()
  await settled()
  started[3]!.end()
  expect(started.map(({ items }) => items)).toEqual([['one'], ['five'], ['two', 'three'], ['four']])
  expect(await Promise.all(answers)).toEqual(['one done', 'two done', 'three done', 'four done'])
  void send('north', 'six')
  expect(started.at(-1)!.items).toEqual(['six'])
})

test('each gets its own answer or refusal, whatever others of its batch do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('good', 'refused', 'faulty'), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      async (kinds, itemsMax) => {
        const send = createBatches<{ kind: string; at: number }, number>(async (_, items) => {
          await Promise.resolve()
          if (items.some(({ kind }) => kind === 'faulty')) throw new Error('a fault')
          return items.map(({ kind, at }) => (kind === 'refused' ? new Error('refused') : at))
        }, itemsMax)
        const answers = await Promise.allSettled(kinds.map((kind, at) => send('park', { kind, at })))
        const heard = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : (answer.reason as Error).message))
        expect(heard).toEqual(kinds.map((kind, at) => ({ good: at, refused: 'refused', faulty: 'a fault' })[kind]))
      },
    ),
  )
})
