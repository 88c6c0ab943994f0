import { expect, test, vi } from 'vitest'
import type { Device } from '../device/device.ts'
import { createEventReport } from './event-report.ts'

test('the beginning has the current picture of the camera, and an end of another epoch is not sent', () => {
  const picture = Buffer.from('a picture')
  const appendNumbered = vi.fn<Device['appendNumbered']>(() => ({ epoch: 'one', seq: 1 }))
  const report = createEventReport({ device: { appendNumbered }, outbox: { epoch: () => 'one' }, picture: () => picture })
  report({ kind: 'forced', at: 5 }, null)
  expect(appendNumbered).toHaveBeenLastCalledWith('event', { kind: 'forced', occurredAt: 5, endOf: null }, picture)
  report({ kind: 'forced', at: 6 }, { epoch: 'one', seq: 1 })
  expect(appendNumbered).toHaveBeenLastCalledWith('event', { kind: 'forced', occurredAt: 6, endOf: 1 }, undefined)
  expect(report({ kind: 'forced', at: 6 }, { epoch: 'another', seq: 1 })).toBeNull()
  expect(appendNumbered).toHaveBeenCalledTimes(2)
})
