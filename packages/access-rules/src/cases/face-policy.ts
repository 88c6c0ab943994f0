/** How strictly faces are compared: thresholds of one's own, the lead over the next, twins, living faces; and in which order. */
import type { FaceEvidence } from '../evidence.ts'
import type { AccessDevice } from '../model.ts'
import { anns, cases, face, NOW, passage, person, showing } from './passage.ts'

const own = (faceThreshold: number | null) => person({ faceThreshold })
/** The person who set it was warned. */
const loose = (faceThreshold: number | null) => person({ faceThreshold, faceThresholdLoosens: true })
const twins = (...lookAlikes: string[]) => person({ lookAlikes })
/** The next of so much score, behind one of 90 unless told. */
const next = (score: number, personId = 'bob', first = 90) => ({ runnerUp: { personId, score, lead: first - score } })
const leading = { margin: 5, lookAlikeMargin: 12 }
const after = (score: number, behind: Partial<FaceEvidence>, device: Partial<AccessDevice> = leading) =>
  passage({ device, evidence: { face: face(score, behind) } })
const twin = (score: number, behind: number, device: Partial<AccessDevice> = leading) =>
  passage({ device, person: twins('bob'), evidence: { face: face(score, next(behind)) } })

const refusing = { liveness: { refuses: true, threshold: 0.6 } }
const trying = { liveness: { refuses: false, threshold: null } }
const alive = (score: number) => ({ liveness: { score } })
const shownTo = (device: Partial<AccessDevice>, fields: Partial<FaceEvidence>, change: Parameters<typeof passage>[0] = {}) =>
  passage({ device, evidence: { face: face(90, fields) }, ...change })

export const facePolicyCases = cases([
  ['a stricter threshold of his own, reached', 'allowed', passage({ person: own(90) })],
  ['a stricter one, just missed: a stranger', 904, passage({ person: own(90), evidence: { face: face(89.999) } })],
  ['a looser one, and what the door asks of everybody, reached', 'allowed', passage({ person: own(50), evidence: { face: face(60) } })],
  ['a looser one loosens nothing', 904, passage({ person: own(50), evidence: { face: face(59.999) } })],
  ['a looser one that is meant to loosen, reached', 'allowed', passage({ person: loose(50), evidence: { face: face(50) } })],
  ['a looser one that is meant to, just missed', 904, passage({ person: loose(50), evidence: { face: face(49.999) } })],
  ['a stricter one that was meant to loosen a door that asked more', 904, passage({ person: loose(90), evidence: { face: face(89.999) } })],
  ['nothing of his own that is meant to loosen', 904, passage({ person: loose(null), evidence: { face: face(59) } })],
  ['no threshold of his own', 904, passage({ person: own(null), evidence: { face: face(59) } })],
  ['a threshold of his own that is no number', 904, passage({ person: own(Number.NaN), evidence: { face: face(100) } })],
  [
    "somebody else's face under the looser threshold of the person given",
    904,
    passage({ person: loose(10), evidence: { face: face(50, { personId: 'bob' }) } }),
  ],
  ['his card, and his face under a stricter threshold of his own', 2, showing({ card: anns(), face: face(80) }, [5], { person: own(90) })],
  ['his card, and his face over a looser one', 'allowed', showing({ card: anns(), face: face(55) }, [5], { person: loose(50) })],
  [
    "his card, and somebody else's face the looser one would let through",
    2,
    showing({ card: anns(), face: face(55, { personId: 'bob' }) }, [5], { person: loose(50) }),
  ],
  [
    "his card, and somebody else's face the stricter one would refuse",
    102,
    showing({ card: anns(), face: face(80, { personId: 'bob' }) }, [5], { person: own(90) }),
  ],
  ['a looser threshold, and a card that is waited for', 'waits for card', showing({ face: face(55) }, [5], { person: loose(50) })],
  [
    "a contact's face under the person's own threshold",
    904,
    passage({ person: own(90), evidence: { face: face(80, { contactId: 'mother' }) }, strategies: [{ authorisedObject: 'both' }] }),
  ],

  ['leads the next by the margin', 'allowed', after(90, next(85))],
  ['leads by a little less', 2, after(90, next(85.001))],
  ['as alike to two persons', 2, after(90, next(90))],
  ['nobody else was compared', 'allowed', after(90, {})],
  ['nobody else was compared, said so', 'allowed', after(90, { runnerUp: null })],
  ['no lead is asked for', 'allowed', after(90, next(90), {})],
  ['a margin of nothing', 'allowed', after(90, next(90), { margin: 0, lookAlikeMargin: 12 })],
  ['a margin that is no number', 2, after(90, next(10), { margin: Number.NaN })],
  ['a next whose score is no number', 2, after(90, next(Number.NaN))],
  ['a next below the threshold can be too near too', 2, after(62, next(58, 'bob', 62))],
  ['both at the end of the scale, and yet well ahead', 'allowed', after(99.9, { runnerUp: { personId: 'bob', score: 99.2, lead: 21 } })],
  ['a lead that is no number', 2, after(90, { runnerUp: { personId: 'bob', score: 10, lead: Number.NaN } })],
  ['a second face of the same person is no rival', 'allowed', after(90, next(90, 'ann'))],
  [
    'the same person as the next, as its contact',
    'allowed',
    passage({
      device: leading,
      evidence: { face: face(90, { ...next(90, 'ann'), contactId: 'mother' }) },
      strategies: [{ authorisedObject: 'both' }],
    }),
  ],
  ['leads the twin by the larger margin', 'allowed', twin(90, 78)],
  ['leads the twin by a little less', 2, twin(90, 78.001)],
  ['leads the twin by the margin among all', 2, twin(90, 85)],
  ['a margin among all that is larger than that of twins', 2, twin(90, 82, { margin: 10, lookAlikeMargin: 3 })],
  ['a margin for twins alone', 2, twin(90, 88, { lookAlikeMargin: 5 })],
  [
    'has a twin, but somebody else comes next',
    'allowed',
    passage({ device: leading, person: twins('cid'), evidence: { face: face(90, next(80)) } }),
  ],
  ['a stranger between two persons is a stranger', 904, after(59, next(58))],
  ['nobody the device holds, and a next', 904, passage({ device: leading, person: null, evidence: { face: face(90, next(90)) } })],
  [
    'a lead is asked for before the person is looked at',
    2,
    passage({ device: leading, person: person({ enabled: false }), evidence: { face: face(90, next(89)) } }),
  ],
  [
    'a card says who it is: its face needs no lead',
    'allowed',
    showing({ card: anns(), face: face(90, next(90)) }, [5], { device: leading }),
  ],
  ['nor does that of an ID card', 'allowed', showing({ idCard: anns(), face: face(90, next(90)) }, [3], { device: leading })],
  ['nor that of a code', 'allowed', showing({ qrCode: anns(), face: face(90, next(90)) }, [7], { device: leading, person: twins('bob') })],
  [
    'a wrong card names nobody: the face does',
    2,
    showing({ card: anns({ matched: false }), face: face(90, next(90)) }, [5], { device: leading }),
  ],
  [
    'the password of the device names nobody: the face does',
    2,
    showing({ devicePassword: anns(), face: face(90, next(90)) }, [9], { device: leading }),
  ],
  [
    'a face is believed before a password, and needs its lead',
    2,
    showing({ personalPassword: anns(), face: face(90, next(90)) }, [10], { device: leading }),
  ],
  ['without its lead a card is not waited for', 2, showing({ face: face(90, next(90)) }, [5], { device: leading })],
  ['with its lead it is', 'waits for card', showing({ face: face(90, next(80)) }, [5], { device: leading })],

  ['a living face', 'allowed', shownTo(refusing, alive(0.6))],
  ['one that looks a little less alive', 17, shownTo(refusing, alive(0.5999))],
  ['a score that is no number', 17, shownTo(refusing, alive(Number.NaN))],
  ['an engine that cannot tell', 17, shownTo(refusing, {})],
  ['an engine that says it cannot tell', 17, shownTo(refusing, { liveness: null })],
  ['a device that demands it without a threshold', 17, shownTo({ liveness: { refuses: true, threshold: null } }, alive(1))],
  ['a threshold that is no number', 17, shownTo({ liveness: { refuses: true, threshold: Number.NaN } }, alive(1))],
  ['a trial', 'allowed', shownTo(trying, alive(0))],
  ['a trial with an engine that cannot tell', 'allowed', shownTo(trying, {})],
  ['a trial that has a threshold already', 'allowed', shownTo({ liveness: { refuses: false, threshold: 0.6 } }, alive(0.1))],
  ['where nobody looks at it', 'allowed', shownTo({ liveness: null }, alive(0))],
  ['a door where no face is shown', 'allowed', showing({ card: anns() }, [4], { device: refusing })],
  ["a stranger's picture is a stranger's", 904, shownTo(refusing, { ...alive(0), score: 10 })],
  ['a picture of one of two twins', 2, shownTo({ ...refusing, ...leading }, { ...alive(0), ...next(88) })],
  ['a picture of somebody disabled', 17, shownTo(refusing, alive(0), { person: person({ enabled: false }) })],
  ['a picture outside the hours', 17, shownTo(refusing, alive(0), { rules: [] })],
  ['a picture before the server is asked', 17, shownTo({ ...refusing, secondVerification: { timeoutMs: 3000 } }, alive(0))],
  [
    'a living face before the server is asked',
    'waits for the server',
    shownTo({ ...refusing, secondVerification: { timeoutMs: 3000 } }, alive(0.9)),
  ],
  ['his card and his picture', 17, showing({ card: anns(), face: face(90, alive(0)) }, [5], { device: refusing })],
  ['his card and his living face', 'allowed', showing({ card: anns(), face: face(90, alive(0.9)) }, [5], { device: refusing })],
  [
    'his card and the picture of somebody who is not like him',
    2,
    showing({ card: anns(), face: face(10, alive(0)) }, [5], { device: refusing }),
  ],
  [
    "his card and somebody else's picture",
    102,
    showing({ card: anns(), face: face(90, { personId: 'bob', ...alive(0) }) }, [5], { device: refusing }),
  ],
  [
    'his picture and a card too late',
    16,
    showing({ card: anns({ seenAt: NOW - 60_000 }), face: face(90, alive(0)) }, [5], { device: refusing }),
  ],
  ['for a picture no card is waited for', 17, showing({ face: face(90, alive(0)) }, [5], { device: refusing })],
])
