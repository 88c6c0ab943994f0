/** Methods the device accepts of those the strategies take; mask, helmet and temperature; and that they come last but the server. */
import type { Measured } from '../evidence.ts'
import type { AccessDevice } from '../model.ts'
import { anns, cases, face, mistypedBoolean, NOW, passage, person, SECOND, showing } from './passage.ts'

const accepting = (...methods: number[]) => ({ device: { methods } })
const wear = (mask: 'off' | 'prompt' | 'refuse', helmet: 'off' | 'prompt' | 'refuse' = 'off') => ({ wear: { mask, helmet } })
const warm = { temperature: { minimum: 35, maximum: 37.3 } }
/** Ann's face so many milliseconds ago, and what sensors measured. */
const passageWith = (device: Partial<AccessDevice>, measured: Measured | undefined, ago = 0) =>
  passage({ device, evidence: { face: face(90, { seenAt: NOW - ago }), ...(measured && { measured }) } })
const LATE = 3 * SECOND

export const measuredCases = cases([
  ['a face where the device accepts faces', 'allowed', passage(accepting(1, 4))],
  ['a face where it accepts cards alone', 2, passage(accepting(4))],
  ['a card that strategies take and the device does not', 3, showing({ card: anns() }, [4, 5], accepting(1))],
  ['a card that waits for a face the device accepts beside it', 'waits for face', showing({ card: anns() }, [4, 5], accepting(5))],
  ['a method the device accepts and no strategy takes', 2, passage({ ...accepting(1), strategies: [{ methods: [4] }] })],
  ['none named: whatever the strategies take', 'allowed', passage(accepting())],
  [
    'a device password the device does not accept',
    21,
    showing({ devicePassword: { matched: true, seenAt: NOW } }, [8], { person: null, device: { methods: [1] } }),
  ],

  ['a mask', 'allowed', passageWith(wear('refuse'), { mask: true })],
  ['no mask', 7, passageWith(wear('refuse'), { mask: false })],
  ['no mask, where the device only says so', 'allowed', passageWith(wear('prompt'), { mask: false })],
  ['no mask, where nobody looks', 'allowed', passageWith(wear('off'), { mask: false })],
  ['no sensor for a mask yet', 'waits for a sensor: mask', passageWith(wear('refuse'), undefined)],
  ['no sensor for a mask in the last millisecond', 'waits for a sensor: mask', passageWith(wear('refuse'), undefined, LATE)],
  ['no sensor for a mask in time', 7, passageWith(wear('refuse'), undefined, LATE + 1)],
  ['no sensor for a mask that is only spoken of', 'allowed', passageWith(wear('prompt'), undefined)],
  ['a mask that is no boolean', 7, passageWith(wear('refuse'), { mask: mistypedBoolean(1) })],
  ['a helmet', 'allowed', passageWith(wear('off', 'refuse'), { helmet: true })],
  ['no helmet', 99, passageWith(wear('off', 'refuse'), { helmet: false })],
  ['no helmet and no mask', 7, passageWith(wear('refuse', 'refuse'), { mask: false, helmet: false })],
  ['a mask, and no word of the helmet', 'waits for a sensor: helmet', passageWith(wear('refuse', 'refuse'), { mask: true })],
  [
    'no word of the helmet, nobody knows since when',
    99,
    passage({ device: wear('off', 'refuse'), evidence: { face: face(90, { seenAt: null }) } }),
  ],

  ['36.6 degrees', 'allowed', passageWith(warm, { temperature: 36.6 })],
  ['as warm as may be', 'allowed', passageWith(warm, { temperature: 37.3 })],
  ['a little warmer', 8, passageWith(warm, { temperature: 37.31 })],
  ['cold, which refuses nobody', 'allowed', passageWith(warm, { temperature: 34 })],
  ['the mark of a warning', 8, passageWith(warm, { temperature: -1 })],
  ['the mark of nothing measured', 8, passageWith(warm, { temperature: -2 })],
  ['a temperature that is no number', 8, passageWith(warm, { temperature: Number.NaN })],
  ['no sensor for the temperature yet', 'waits for a sensor: temperature', passageWith(warm, {})],
  ['no sensor for the temperature in time', 8, passageWith(warm, {}, LATE + 1)],
  ['a fever where nobody looks', 'allowed', passageWith({}, { temperature: 41 })],
  ['a fever and no mask', 8, passageWith({ ...warm, ...wear('refuse') }, { temperature: 41, mask: false })],
  [
    'a fever of somebody disabled',
    902,
    passage({ device: warm, evidence: { face: face(), measured: { temperature: 41 } }, person: person({ enabled: false }) }),
  ],
  ['a fever of a stranger', 904, passage({ device: warm, evidence: { face: face(10), measured: { temperature: 41 } } })],
  ['a fever outside the hours', 6, passage({ device: warm, evidence: { face: face(), measured: { temperature: 41 } }, rules: [] })],
  ['a fever before the second factor', 'waits for face', showing({ card: anns(), measured: { temperature: 41 } }, [5], { device: warm })],
  ['a fever is not asked about', 8, passageWith({ ...warm, secondVerification: { timeoutMs: 3000 } }, { temperature: 41 })],
  [
    'well, before the server is asked',
    'waits for the server',
    passageWith({ ...warm, secondVerification: { timeoutMs: 3000 } }, { temperature: 36 }),
  ],
  ['a card alone is measured too', 8, showing({ card: anns(), measured: { temperature: 38 } }, [4], { device: warm })],

  [
    'a living face before the picture of the ID card',
    'allowed',
    showing({ idCard: anns(), idPortrait: { matched: true, seenAt: NOW, liveness: { score: 0.9 } } }, [13], {
      device: { liveness: { refuses: true, threshold: 0.6 } },
    }),
  ],
  [
    'a photograph held up before the picture of the ID card',
    17,
    showing({ idCard: anns(), idPortrait: { matched: true, seenAt: NOW, liveness: { score: 0.1 } } }, [13], {
      device: { liveness: { refuses: true, threshold: 0.6 } },
    }),
  ],
])
