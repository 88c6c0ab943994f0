/** A process that writes records until it is killed, and prints each number once the record is stored. */
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
  // `writeSync` waits for the reader. A stream would buffer what a full pipe does not take until this loop ends, and it never does.
  writeSync(1, `${seq}\n`)
}
