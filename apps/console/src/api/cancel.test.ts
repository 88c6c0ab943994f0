import { expect, test } from 'vitest'
import { CANCEL_LIST_MAX } from '@gatehouse/contract'
import { cancelList } from './cancel.ts'

test('leaving a page cancels what is pending and nothing that was answered', () => {
  const list = cancelList()
  const [pending, answered] = [new AbortController(), new AbortController()]
  list.add(pending)
  list.add(answered)()
  list.cancelAll()
  expect([pending.signal.aborted, answered.signal.aborted]).toEqual([true, false])
  expect(list.size).toBe(0)
})

test('the list holds fifty; the oldest drops out and runs on', () => {
  const list = cancelList()
  const controllers = Array.from({ length: CANCEL_LIST_MAX + 1 }, () => new AbortController())
  for (const controller of controllers) list.add(controller)
  expect(list.size).toBe(CANCEL_LIST_MAX)
  list.cancelAll()
  expect(controllers.map(({ signal }) => signal.aborted)).toEqual([false, ...Array.from({ length: CANCEL_LIST_MAX }, () => true)])
})
