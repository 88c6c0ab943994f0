/** The server's last word: asked for, given, refused, in vain; and that it is asked last. */
import type { SecondVerification } from '../evidence.ts'
import { anns, cases, face, NOW, passage, person, SECOND, showing } from './passage.ts'

const device = { secondVerification: { timeoutMs: 3 * SECOND } }
const answered = (outcome: string, failReason?: number | null) =>
  passage({ device, evidence: { face: face(), secondVerification: { outcome: outcome as SecondVerification['outcome'], failReason } } })
const letsIn = { secondVerification: { timeoutMs: 3 * SECOND, offline: 'allow' as const } }
const away = (outcome: SecondVerification['outcome'], failReason: number | null = null, offline: 'refuse' | 'allow' = 'allow') =>
  passage({
    device: { secondVerification: { timeoutMs: 3 * SECOND, offline } },
    evidence: { face: face(), secondVerification: { outcome, failReason } },
  })
const refused = (reason: number) => [`the server refuses for reason ${reason}`, reason, answered('refused', reason)] as const

export const secondVerificationCases = cases([
  ['nobody can be asked, and the device lets in', 'allowed', away('offline')],
  ['no answer in time, and the device lets in', 'allowed', away('timedOut')],
  ['a refusal where the device lets in whom it cannot ask about', 903, away('refused', 903)],
  ['the server fails where the device lets in whom it cannot ask about', 15, away('failed')],
  ['nobody can be asked, and the device refuses', 9, away('offline', null, 'refuse')],
  [
    'somebody disabled where nobody can be asked',
    902,
    passage({ device: letsIn, person: person({ enabled: false }), evidence: { face: face(), secondVerification: { outcome: 'offline' } } }),
  ],
  [
    'a device password where nobody can be asked',
    15,
    showing({ devicePassword: { matched: true, seenAt: NOW }, secondVerification: { outcome: 'offline' } }, [8], {
      device: letsIn,
      person: null,
    }),
  ],
  ['the server has not been asked', 'waits for the server', passage({ device })],
  ['it confirms', 'allowed', answered('confirmed')],
  ['the device is offline', 9, answered('offline')],
  ['the server does not answer in time', 10, answered('timedOut')],
  ['it refuses without a reason', 14, answered('refused')],
  ['it refuses with null for a reason', 14, answered('refused', null)],
  ['it refuses for a reason the specification lacks', 14, answered('refused', 12345)],
  ...[2, 3, 6, 14, 15, 18, 19, 99, 901, 902, 903, 904].map(refused),
  ['it cannot handle the passage', 15, answered('failed')],
  ['what it says cannot be read', 15, answered('perhaps')],
  ['what it says is a name every object has', 15, answered('toString')],
  ['a confirmation with a reason', 'allowed', answered('confirmed', 14)],
  ['a reason beside being offline does not count', 9, answered('offline', 6)],
  [
    'a refusal where the device decides alone',
    'allowed',
    passage({ evidence: { face: face(), secondVerification: { outcome: 'refused' } } }),
  ],
  ['two factors, not asked yet', 'waits for the server', showing({ card: anns(), face: face() }, [5], { device })],
  [
    'two factors, confirmed',
    'allowed',
    showing({ card: anns(), face: face(), secondVerification: { outcome: 'confirmed' } }, [5], { device }),
  ],
  ['the second factor is waited for before the server', 'waits for face', showing({ card: anns() }, [5], { device })],
  [
    'a device password, which names nobody to ask about',
    15,
    showing({ devicePassword: { matched: true, seenAt: NOW } }, [8], { device, person: null }),
  ],
  [
    'a device password, with a confirmation of nobody',
    15,
    showing({ devicePassword: { matched: true, seenAt: NOW }, secondVerification: { outcome: 'confirmed' } }, [8], {
      device,
      person: null,
    }),
  ],
  ['it is not asked about a stranger', 904, passage({ device, evidence: { face: face(1) } })],
  ['it is not asked about somebody disabled', 902, passage({ device, person: person({ enabled: false }) })],
  ['it is not asked about somebody without a strategy', 19, passage({ device, strategies: [] })],
  ['it is not asked outside the hours', 6, passage({ device, rules: [] })],
  ['it is not asked about a method nobody takes', 2, passage({ device, strategies: [{ methods: [4] }] })],
  [
    'its confirmation opens no door the device keeps shut',
    6,
    passage({ device, rules: [], evidence: { face: face(), secondVerification: { outcome: 'confirmed' } } }),
  ],
])
