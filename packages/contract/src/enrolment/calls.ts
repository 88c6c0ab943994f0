/**
 * Applications of people for themselves, and by third parties for people: both wait for approval. A link opens a page on a phone until its
 * end, which the user who makes it chooses.
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { gender } from '../enums/people.ts'
import { ENROLMENT_LINK_MAX, FACE_FILE_MAX, PERSON_NUMBER_MAX, TEXT_MAX } from '../limits.ts'
import { masked, searches } from '../masking.ts'
import { PERSON_KINDS, personFields, type PersonKind } from '../people/person-fields.ts'
import { personName, phone } from '../people/fields.ts'
import { consoleAddress, created, id, idParams, ids, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'

const call = callsOf('enrolment')

export const AUDIT_STATES = ['pending', 'passed', 'rejected'] as const
export const APPLICATION_SOURCES = ['self', 'thirdParty'] as const
/** Without the watch list: there are no applications for it. */
const ENROLLED_KINDS = ['staff', 'customer'] as const satisfies readonly PersonKind[]

/** An application to register a person, or to use a new photo of a person. */
export const personApplication = z.object({
  id,
  source: z.enum(APPLICATION_SOURCES),
  /** Name of the third party; empty for people who applied themselves. */
  system: z.string(),
  state: z.enum(AUDIT_STATES),
  /** Person whom it would change; null: a new person. */
  personId: id.nullable(),
  kind: z.enum(PERSON_KINDS),
  name: masked('name', z.string()),
  workNumber: z.string(),
  phone: masked('phone', z.string()),
  gender: z.number().int(),
  groupId: id,
  groupName: z.string(),
  /** Signed addresses of the photo; empty without one. */
  url: z.string(),
  thumbnail: z.string(),
  /** Signed address of a second photo; empty without one. */
  secondUrl: z.string(),
  /** Current photos of the person; empty for a new person. */
  photos: z.array(z.object({ url: z.string(), thumbnail: z.string() })),
  /** Other people who look like the photo, the most similar first; only while it is pending. */
  similar: z.array(
    z.object({
      personId: id,
      personName: masked('name', z.string()),
      workNumber: z.string(),
      score: z.number(),
      url: z.string(),
      thumbnail: z.string(),
    }),
  ),
  consent: z.boolean(),
  createdAt: instant,
  decidedAt: instant.nullable(),
  decidedBy: z.string(),
  reason: z.string(),
})
export type PersonApplication = z.output<typeof personApplication>

export const enrolmentLink = z.object({
  id,
  /** Person for whom the link was made; null: any person who has the link can apply. */
  personId: id.nullable(),
  personName: masked('name', z.string()),
  groupId: id,
  groupName: z.string(),
  kind: z.enum(PERSON_KINDS),
  createdAt: instant,
  expiresAt: instant,
  /** Number of applications made through it so far. */
  applications: z.number().int(),
})
export type EnrolmentLink = z.output<typeof enrolmentLink>

export const enrolmentCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/tongda/person/config/audit/list',
    permission: 'person.audit',
    summary: 'Persons that wait for approval, or waited: from a third party, and from links.',
    query: pageQuery.extend({
      state: z.enum(AUDIT_STATES).optional(),
      source: z.enum(APPLICATION_SOURCES).optional(),
      name: searches('name', z.string().max(64)).optional(),
      workNumber: z.string().max(64).optional(),
    }),
    data: pageData(personApplication),
  }),
  summary: call({
    method: 'GET',
    service: 'biz',
    path: '/tongda/person/config/audit/summary',
    permission: 'person.audit',
    summary: 'How many persons wait for approval, and how many of the last weeks were passed and rejected.',
    /** `newest`: time of the latest pending application; it changes whenever there is a new one. */
    data: z.object({ pending: z.number().int(), passed: z.number().int(), rejected: z.number().int(), newest: instant.nullable() }),
    origin: 'own',
  }),
  decide: call({
    method: 'POST',
    service: 'biz',
    path: '/tongda/person/config/audit/update',
    permission: 'person.audit',
    summary:
      'Passes or rejects persons that are pending; rejecting needs a reason. Each is decided by itself: `refused` names those ' +
      'that could not be registered, which stay pending.',
    body: z
      .object({
        ids: ids.shape.ids,
        state: z.enum(['passed', 'rejected']),
        reason: z.string().trim().max(TEXT_MAX).nullish(),
        /** Registered person who was recognised: the photo is added to that person. For a single application only. */
        personId: id.nullish(),
        /**
         * The latest `createdAt` among the applications that the caller was shown: those replaced since then are refused, because the
         * caller has not seen them.
         */
        seen: instant.nullish(),
      })
      .refine((value) => value.state === 'passed' || (value.reason ?? '') !== '', { path: ['reason'], ...rule('required') })
      .refine((value) => value.personId == null || new Set(value.ids).size === 1, { path: ['personId'], ...rule('invalid') }),
    /** `code` null: `rule` is one of `validation.json`. */
    data: z.object({
      decided: z.number().int(),
      refused: z.array(z.object({ id, code: z.number().int().nullable(), field: z.string(), rule: z.string(), words: z.string() })),
    }),
    errors: [900000],
    statuses: [409],
  }),
  apply: call({
    method: 'POST',
    service: 'biz',
    path: '/tongda/person',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary:
      'Hands in a person from a third party, for approval. The same system and reference again replaces what is still pending ' +
      'and changes nothing that was decided.',
    body: z.object({
      system: z.string().trim().min(1).max(64),
      reference: z.string().trim().min(1).max(64),
      name: personName,
      workNumber: personFields.shape.workNumber,
      phone: personFields.shape.phone,
      gender: personFields.shape.gender,
      groupId: id,
      kind: z.enum(ENROLLED_KINDS).default('staff'),
      /** Whether the person has given face recognition consent, according to the third party. */
      consent: z.boolean().default(false),
      /** JPEG, PNG or WebP in base64. */
      photo: z
        .string()
        .max(Math.ceil((FACE_FILE_MAX * 4) / 3) + 4)
        .nullish(),
    }),
    bodyLimit: Math.ceil((FACE_FILE_MAX * 4) / 3) + 64 * 1024,
    data: created,
    errors: [200201, 200204, 200205, 200206, 200208, 200218, 200219, 201219, 201220, 201221, 201222, 201223, 200225, 900000, 900114],
    origin: 'own',
  }),
  links: call({
    method: 'GET',
    service: 'biz',
    path: '/person/enrolment/link/list',
    permission: 'person.list',
    summary: 'Links that still open.',
    query: pageQuery,
    data: pageData(enrolmentLink),
    origin: 'own',
  }),
  createLink: call({
    method: 'POST',
    service: 'biz',
    path: '/person/enrolment/link',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary:
      'Makes a link for one person, or for whoever is handed it, valid for two hours or until another end within 30 days. The ' +
      'address is shown once.',
    body: z
      .object({
        personId: id.nullish(),
        /** Group in which people who apply by the link are registered. */
        groupId: id.nullish(),
        kind: z.enum(ENROLLED_KINDS).default('staff'),
        /** Hours from now until it ends; without `hours` and `expiresAt`: 2. */
        hours: z.number().int().min(1).max(ENROLMENT_LINK_MAX).nullish(),
        /** End of the link, in the future and at most 30 days from now. */
        expiresAt: instant.nullish(),
        /**
         * Address of the console, such as `https://gate.example.org`: the link begins with it if the installation has no address of its
         * own.
         */
        address: consoleAddress.nullish(),
      })
      .refine((value) => value.personId != null || value.groupId != null, { path: ['groupId'], ...rule('required') })
      .refine((value) => value.hours == null || value.expiresAt == null, { path: ['expiresAt'], ...rule('invalid') }),
    /**
     * `qr`: a data address of a picture. `localOnly`: the address points to the server's own machine, so that other devices cannot open it.
     */
    data: z.object({ id, url: z.string(), qr: z.string(), expiresAt: instant, localOnly: z.boolean() }),
    errors: [200224],
    origin: 'own',
  }),
  revokeLink: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/enrolment/link/{id}',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Ends a link.',
    params: idParams,
    data: created,
    origin: 'own',
  }),
  open: call({
    method: 'POST',
    service: 'biz',
    path: '/person/enrolment/open',
    permission: 'public',
    effect: 'read',
    summary: 'What a link asks for; one that has ended says so.',
    body: z.object({ token: z.string().min(20).max(200) }),
    data: z.object({
      parkName: z.string(),
      /** Name of the person for whom the link was made; empty: the person who uses it enters a name. */ personName: z.string(),
      consentText: z.string(),
      consentRequired: z.boolean(),
      /** Number of photos that the park requests of each person. */
      photosWanted: z.number().int(),
      expiresAt: instant,
    }),
    origin: 'own',
  }),
  submit: call({
    method: 'POST',
    service: 'biz',
    path: '/person/enrolment/submit',
    permission: 'public',
    summary:
      'Hands in a photograph and, with a link for anybody, who it is: a name, and a work number or a phone. Wrong photographs ' +
      'are refused with what is wrong. The same again replaces what is still pending.',
    consumes: 'multipart',
    linkToken: true,
    bodyLimit: FACE_FILE_MAX + 64 * 1024,
    body: z.object({
      name: personName.optional(),
      workNumber: z.string().trim().max(PERSON_NUMBER_MAX).optional(),
      phone: z.union([z.literal(''), phone]).optional(),
      gender: z.coerce.number().pipe(gender.schema).optional(),
      consent: z.enum(['true', 'false']).default('false'),
      faceIndex: z.coerce.number().int().min(0).max(99).optional(),
    }),
    data: created,
    errors: [200201, 200204, 200205, 200206, 200208, 200218, 200219, 201219, 201220, 201221, 201222, 201223, 200225, 900000, 900114],
    origin: 'own',
  }),
  submitSecond: call({
    method: 'POST',
    service: 'biz',
    path: '/person/enrolment/submit/second',
    permission: 'public',
    summary:
      'Adds a second photograph to what was handed in through the link and is still pending; again, it takes the place of the ' +
      'one before. 200203: it shows somebody else.',
    consumes: 'multipart',
    linkToken: true,
    bodyLimit: FACE_FILE_MAX + 64 * 1024,
    body: z.object({
      /** Id that `submit` returned. */
      applicationId: id,
      faceIndex: z.coerce.number().int().min(0).max(99).optional(),
    }),
    data: created,
    errors: [200201, 200203, 200204, 200205, 200206, 200208, 200218, 200219, 201219, 201220, 201221, 201222, 201223, 900000, 900114],
    origin: 'own',
  }),
}
