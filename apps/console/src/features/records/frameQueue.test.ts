import { expect, test } from 'vitest'
import { testingRecord as record } from '../../shared/testing/record.ts'
import { createFrameQueue, type Frame } from './frameQueue.ts'

/** Return a queue whose page is painted by hand, and what was shown: ids, and the number of rows left out. */
function queue(limit = 60) {
  const shown: string[] = []
  const painting: (() => void)[] = []
  const show = ({ rows, more }: Frame): void => void shown.push(`${rows.map(({ id }) => id).join(' ')} +${more}`)
  const { push, stop } = createFrameQueue(show, limit, (then) => void painting.push(then))
  return { push, stop, shown, paint: () => painting.shift()?.() }
}
const frame = (ids: readonly string[], more = 0): Frame => ({ rows: ids.map((id) => record(id, Number(id))), more })

test('a frame is shown at once, those before it is painted together, newest first', () => {
  const { push, shown, paint } = queue()
  push(frame(['1']))
  push(frame(['2'], 3))
  push(frame(['4', '2'], 1))
  expect(shown).toEqual(['1 +0'])
  paint()
  expect(shown).toEqual(['1 +0', '4 2 +4'])
  paint()
  push(frame(['5']))
  expect(shown).toEqual(['1 +0', '4 2 +4', '5 +0'])
})

test('rows that pile up while a frame is painted are counted, not lost', () => {
  const { push, shown, paint } = queue(2)
  push(frame(['1']))
  push(frame(['2', '3', '4'], 1))
  paint()
  expect(shown).toEqual(['1 +0', '4 3 +2'])
})

test('a frame without rows that tells of more is shown, and nothing is where nothing came', () => {
  const { push, shown, paint } = queue()
  push(frame(['1']))
  paint()
  expect(shown).toHaveLength(1)
  push(frame(['2']))
  push(frame([], 7))
  paint()
  expect(shown).toEqual(['1 +0', '2 +0', ' +7'])
})

test('nothing is shown after the page was left', () => {
  const { push, stop, shown, paint } = queue()
  push(frame(['1']))
  push(frame(['2']))
  stop()
  paint()
  push(frame(['3']))
  expect(shown).toEqual(['1 +0'])
})
