/** Puts a package in place and loses its power in the middle: a process that ends itself at the moment it was told. */
import { putInPlace } from '../../apps/terminal/src/upgrade/installation.ts'

const [root = '', path = '', moment = ''] = process.argv.slice(2)
await putInPlace(root, path, {
  task: { id: 'task', attempt: 1 },
  onMoment(now) {
    if (now === moment) process.kill(process.pid, 'SIGKILL')
  },
})
