/** A thread that reads memory as fast as it comes, each time it is told to: the yardstick of the search among captures. */
import { parentPort, workerData } from 'node:worker_threads'
import { KERNEL_PAGE, bestKernel, newMemory, startKernel } from '@gatehouse/face-engine/search/kernel'

const bytes = workerData as number
const memory = newMemory()
memory.grow(Math.ceil(bytes / KERNEL_PAGE))
new Float64Array(memory.buffer).fill(1)
const kernel = startKernel(bestKernel(), memory)

parentPort?.on('message', () => {
  kernel.readAll(0, bytes)
  parentPort?.postMessage('read', [])
})
