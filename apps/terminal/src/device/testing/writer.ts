/** A process that writes records until it is killed, telling each number only once it is stored. */
import { writeSync } from 'node:fs'
import { openStore } from '../../store/store.ts'
import { MODEL } from './folder.ts'

const [folder = ''] = process.argv.slice(2)
const store = openStore({ folder, code: 'GATE-1', model: MODEL })
store.bind('device-1')
for (;;) {
  const { seq } = store.outbox.append('device-1', {
    occurredAt: Date.now(),
    personId: null,
    personName: '',
    result: 0,
    failReason: 904,
    verifyType: 1,
    direction: 1,
    score: null,
    checks: '[]',
    revision: 'r',
    hasPicture: false,
  })
  // A stream would keep what a full pipe does not take until this loop ends, which it never does: this waits for the reader.
  writeSync(1, `${seq}\n`)
}
