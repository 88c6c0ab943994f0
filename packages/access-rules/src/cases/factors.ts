/** Factors that are no method together, contacts, and what is missing or cannot be read. */
import { anns, cases, face, HOUR, mistypedBoolean, NOW, passage, person, SECOND, showing } from './passage.ts'

const contact = { contactId: 'mother' }

export const factorCases = cases([
  ['nothing shown', 904, passage({ evidence: {} })],
  ['a face of nobody, in an empty gallery', 904, passage({ evidence: { face: face(null, { personId: null }) }, person: null })],
  ['a face at the threshold', 'allowed', passage({ evidence: { face: face(60) } })],
  ['a face just below it', 904, passage({ evidence: { face: face(59.999) } })],
  ['a face nobody compared', 904, passage({ evidence: { face: face(null) } })],
  ['a face whose score is no number', 904, passage({ evidence: { face: face(Number.NaN) } })],
  ['a face under a threshold that is no number', 904, passage({ device: { thresholds: { face: Number.NaN } } })],
  ['a face of somebody else than the person given', 904, passage({ person: person({ id: 'bob' }) })],
  ['a face of somebody the device does not hold', 904, passage({ person: null })],
  ['a card of somebody the device does not hold', 904, showing({ card: anns() }, [4], { person: null })],
  ['a card and a handprint', 99, showing({ card: anns(), handprint: anns() }, [4, 5, 12])],
  ['a card, a password and a face', 99, showing({ card: anns(), personalPassword: anns(), face: face() }, [1, 4, 5, 10, 14, 15])],
  ['an ID card alone, for which no strategy waits', 4, showing({ idCard: anns() }, [1])],
  ['a smart password alone, for which no strategy waits', 21, showing({ smartPersonalPassword: anns() }, [15])],
  ['a portrait without its card', 904, showing({ idPortrait: { matched: true, seenAt: NOW } }, [13], { person: null })],
  ['the device password, and a person nothing names', 904, showing({ devicePassword: { matched: true } }, [8])],
  [
    'the device password at a door without a strategy',
    19,
    showing({ devicePassword: { matched: true } }, [], { person: null, strategies: [] }),
  ],
  [
    'the device password outside the hours',
    6,
    showing({ devicePassword: { matched: true } }, [8], { person: null, moment: NOW + 12 * HOUR }),
  ],
  [
    'the device password where the strategy has ended',
    19,
    showing({ devicePassword: { matched: true } }, [8], { person: null, strategies: [{ methods: [8], validTo: NOW - 1 }] }),
  ],
  ['a match that is no boolean', 3, showing({ card: anns({ matched: mistypedBoolean(1) }) }, [4])],
  ['card and face, one without a time', 16, showing({ card: anns({ seenAt: null }), face: face() }, [5])],
  ['card and face, with no times at all', 16, showing({ card: anns({ seenAt: null }), face: face(90, { seenAt: null }) }, [5])],
  [
    'card and face, with no times, where nobody looks at them',
    'allowed',
    showing({ card: anns({ seenAt: null }), face: face(90, { seenAt: null }) }, [5], { device: { factorTimeoutMs: null } }),
  ],
  ['a card where card and face pass, and nobody waits', 3, showing({ card: anns() }, [5], { device: { factorTimeoutMs: null } })],
  ['a card that would do alone', 'allowed', showing({ card: anns() }, [4, 5])],
  [
    'a card that would do alone by another strategy',
    'allowed',
    showing({ card: anns() }, [], { strategies: [{ methods: [5] }, { methods: [4] }] }),
  ],
  ['a card where several second factors would do', 'waits for face,personalPassword', showing({ card: anns() }, [5, 14])],
  [
    'a card where the strategy for card and face is closed',
    3,
    showing({ card: anns() }, [], { strategies: [{ methods: [5], timeRuleIds: ['none'] }, { methods: [12] }] }),
  ],
  ['a face where card and face pass', 'waits for card', showing({ face: face() }, [5])],
  [
    'a wait of another length',
    16,
    showing({ card: anns({ seenAt: NOW - 2 * SECOND }), face: face() }, [5], { device: { factorTimeoutMs: SECOND } }),
  ],
  ['a card of somebody disabled is not waited for', 902, showing({ card: anns() }, [5], { person: person({ enabled: false }) })],
  ['a card outside the hours is not waited for', 6, showing({ card: anns() }, [5], { moment: NOW + 12 * HOUR })],
  ['a wrong card is not waited for', 3, showing({ card: anns({ matched: false }) }, [5])],
  ['the second factor too late and wrong', 16, showing({ card: anns({ seenAt: NOW - 60 * SECOND }), face: face(10) }, [5])],
  [
    'the second factor wrong, of somebody disabled',
    2,
    showing({ card: anns(), face: face(10) }, [5], { person: person({ enabled: false }) }),
  ],
  [
    "somebody disabled's card with another's face",
    102,
    showing({ card: anns(), face: face(90, { personId: 'bob' }) }, [5], { person: person({ enabled: false }) }),
  ],

  ['a contact where the person passes', 19, showing({ face: face(90, contact) }, [1])],
  ['a contact where persons pass', 19, passage({ evidence: { face: face(90, contact) }, strategies: [{ authorisedObject: 'person' }] })],
  [
    'a contact where contacts pass',
    'allowed',
    passage({ evidence: { face: face(90, contact) }, strategies: [{ authorisedObject: 'contact' }] }),
  ],
  ['a contact where both pass', 'allowed', passage({ evidence: { face: face(90, contact) }, strategies: [{ authorisedObject: 'both' }] })],
  ['a person where contacts pass', 19, passage({ strategies: [{ authorisedObject: 'contact' }] })],
  ['a person where persons pass', 'allowed', passage({ strategies: [{ authorisedObject: 'person' }] })],
  ['a person where both pass', 'allowed', passage({ strategies: [{ authorisedObject: 'both' }] })],
  [
    'a contact by the second of two strategies',
    'allowed',
    passage({ evidence: { face: face(90, contact) }, strategies: [{}, { authorisedObject: 'contact' }] }),
  ],
  [
    'a contact of somebody disabled',
    902,
    passage({ evidence: { face: face(90, contact) }, person: person({ enabled: false }), strategies: [{ authorisedObject: 'both' }] }),
  ],
  [
    "the person's card and a contact's face",
    'allowed',
    showing({ card: anns(), face: face(90, contact) }, [5], { strategies: [{ methods: [5], authorisedObject: 'both' }] }),
  ],
  ["the person's card and a contact's face where persons pass", 19, showing({ card: anns(), face: face(90, contact) }, [5])],
  [
    "one contact's card and another's face",
    102,
    showing({ card: anns({ contactId: 'father' }), face: face(90, contact) }, [5], {
      strategies: [{ methods: [5], authorisedObject: 'both' }],
    }),
  ],
])
