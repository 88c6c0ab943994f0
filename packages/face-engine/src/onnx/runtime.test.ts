import { expect, test, vi } from 'vitest'
import { Network, RuntimeMissing } from './runtime.ts'

vi.mock('onnxruntime-node', () => {
  throw new Error('no binding for this machine')
})

test('a machine without ONNX Runtime is told what to do', async () => {
  const refused = Network.load('model.onnx', 640)
  await expect(refused).rejects.toBeInstanceOf(RuntimeMissing)
  await expect(refused).rejects.toThrow(
    /need ONNX Runtime, which does not run here \(.+ .+\): run “npm install” with optional packages, or take the set out of MODEL_DIR/,
  )
})
