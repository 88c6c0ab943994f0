import { expect, test, vi } from 'vitest'
import { speakThrough, toast } from './feedback.tsx'

test('success and info stay 1.5 seconds, errors 5; the same sentence replaces itself [BEH-088, BEH-099]', async () => {
  const open = vi.fn<(shown: { type: string; content: string; duration: number; key: string }) => void>()
  speakThrough({ message: { open } } as never)
  toast('success', 'Saved')
  toast('info', 'Noted')
  toast('error', 'Refused')
  toast('error', 'Refused')
  await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(4))
  const shown = open.mock.calls.map(([{ type, content, duration, key }]) => [type, content, duration, key])
  expect(shown.slice(0, 3)).toEqual([
    ['success', 'Saved', 1.5, 'success:Saved'],
    ['info', 'Noted', 1.5, 'info:Noted'],
    ['error', 'Refused', 5, 'error:Refused'],
  ])
  expect(shown[3]).toEqual(shown[2])
})
