/** Installs a package and simulates a power cut in the middle: the process kills itself at the given moment. */
import { putInPlace } from '../../apps/terminal/src/upgrade/installation.ts'

const [root = '', path = '', moment = ''] = process.argv.slice(2)
await putInPlace(root, path, {
  task: { id: 'task', attempt: 1 },
  onMoment(now) {
    if (now === moment) process.kill(process.pid, 'SIGKILL')
  },
})
