/** Registers and changes the persons of visits. */
import { VISITOR_GROUP_NAME } from '@gatehouse/contract/built-in-names'
import { accessMethod, personCardType, personGroupType } from '@gatehouse/contract/enums'
import { FORBIDDEN_IN_NAME } from '@gatehouse/contract/people/fields'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import type { Transaction } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { cardKeyOf } from './card.ts'
import { insertPerson, lockVisitor, updatePerson, type PersonValues } from './data.ts'
import { NO_DETAILS } from './details.ts'
import { groupsChanged } from './events.ts'
import type { RegisterParts } from './parts.ts'
import { VISITOR_KIND } from './policy.ts'
import { refuseDuplicate } from './unique-values.ts'
import { assertCard, orNull, validityOf } from './values.ts'
import type { VisitorFields, VisitorPersons } from './visitor-types.ts'

const GENDER_UNKNOWN = 3

/** Return a person as the operation log shows them. */
const logged = (visitor: VisitorFields, groupName: string) => ({
  name: visitor.name,
  groupName,
  kind: VISITOR_KIND,
  validFrom: visitor.validFrom,
  validTo: visitor.validTo,
  methods: [...visitor.methods],
  cardNumberFormat: visitor.cardNumberFormat,
  cardNumber: visitor.cardNumber,
  facePhotos: visitor.faceId === null ? [] : [visitor.faceId],
})

/** Return what is stored. @throws InvalidRequest */
function valuesOf(visitor: VisitorFields, stored: Parameters<typeof assertCard>[1]): PersonValues {
  const { name, groupId, validFrom, validTo, methods, cardNumberFormat } = visitor
  if (name === '' || FORBIDDEN_IN_NAME.test(name)) throw new InvalidRequest([{ path: 'name', rule: 'name' }])
  // An empty list would be stored as one that admits nobody.
  if (methods.length === 0) throw new InvalidRequest([{ path: 'methods', rule: 'required' }])
  if (methods.some((method) => !accessMethod.values.includes(method as never)))
    throw new InvalidRequest([{ path: 'methods', rule: 'unknown' }])
  assertCard(visitor, stored)
  const cardNumber = orNull(visitor.cardNumber)
  return {
    ...NO_DETAILS,
    groupId,
    kind: VISITOR_KIND,
    name,
    workNumber: null,
    gender: GENDER_UNKNOWN,
    cardType: cardNumber === null ? 0 : personCardType.icCard,
    cardNumberFormat,
    cardNumber,
    cardKey: cardKeyOf(cardNumber, cardNumberFormat),
    idType: null,
    idNumber: null,
    idNumberIndex: null,
    ...ofPlainFields(() => null),
    ...validityOf({ validFrom, validTo }),
    idPhoto: null,
    registrationPhoto: null,
    personalPassword: null,
    personalPasswordIndex: null,
    // The visit has asked for it.
    consent: 'none',
    consentAt: null,
    customFields: {},
    faceCount: visitor.faceId === null ? 0 : 1,
    passMethods: [...new Set(methods)].toSorted((one, other) => one - other),
  }
}

export function createVisitorPersons({ platform, faces, groups, needs, admission, rows }: RegisterParts): VisitorPersons {
  /** @throws InvalidRequest for a group that this park does not have, or of another type */
  async function groupNameOf(scope: Scope, groupId: string, within?: Transaction): Promise<string> {
    const [group] = await groups.types(scope, [groupId], within)
    if (group === undefined) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
    if (group.type !== personGroupType.visitor) throw new InvalidRequest([{ path: 'groupId', rule: 'kindOfGroup' }])
    return group.name
  }

  return {
    visitorGroup: (scope) => groups.ensureTop(scope, personGroupType.visitor, VISITOR_GROUP_NAME),
    async admitVisitor(scope, visitor, { strategyIds, alongside }) {
      const id = newId()
      const values = valuesOf(visitor, null)
      const groupName = await groupNameOf(scope, visitor.groupId)
      await needs.visitorStrategies.assert(scope, strategyIds)
      const { groupId, validTo } = values
      await admission
        .visitor(scope, { groupId, validTo, strategyIds }, async (tx) => {
          await insertPerson(scope, rows.within(tx), id, values, platform.clock.now())
          if (visitor.faceId !== null) await faces.assign(tx, scope, id, [visitor.faceId])
          await needs.visitorStrategies.name(tx, scope, id, strategyIds)
          await rows.noteHistory(tx, scope, [id])
          platform.audit.note({ entity: 'person', id, label: visitor.name, labelMask: 'name', after: logged(visitor, groupName) })
          await rows.announceChange(tx, scope, [id])
          await alongside(tx, id)
        })
        .catch(refuseDuplicate)
      return id
    },
    async changeVisitor(scope, personId, change, { strategyIds, alongside }) {
      if (!isUuid(personId)) throw new NotFound()
      if (strategyIds !== undefined) await needs.visitorStrategies.assert(scope, strategyIds)
      const [photo] = (await faces.photosOf(scope, [personId])).get(personId) ?? []
      const decides = { groupId: change.groupId, validTo: change.validTo, strategyIds }
      await admission
        .change(scope, [personId], decides, 'accessGroupIds', async (tx) => {
          const person = await lockVisitor(scope, rows.within(tx), personId)
          if (person === undefined) throw new NotFound()
          const stored: VisitorFields = {
            name: person.name,
            groupId: person.groupId,
            validFrom: person.validFrom,
            validTo: person.validTo,
            methods: person.passMethods ?? [],
            faceId: photo?.faceId ?? null,
            cardNumber: person.cardNumber,
            cardNumberFormat: person.cardNumberFormat as VisitorFields['cardNumberFormat'],
          }
          const visitor = leftAsItWas(stored, change)
          const values = valuesOf(visitor, person)
          const groupName = await groupNameOf(scope, visitor.groupId, tx)
          await updatePerson(scope, rows.within(tx), personId, values, person.version, platform.clock.now())
          if (change.faceId !== undefined) await faces.assign(tx, scope, personId, change.faceId === null ? [] : [change.faceId])
          if (strategyIds !== undefined) await needs.visitorStrategies.name(tx, scope, personId, strategyIds)
          await rows.noteHistory(tx, scope, [personId])
          platform.audit.note({
            entity: 'person',
            id: personId,
            label: visitor.name,
            labelMask: 'name',
            before: logged(stored, person.groupName),
            after: logged(visitor, groupName),
          })
          await rows.announceChange(tx, scope, [personId])
          if (visitor.groupId !== stored.groupId) await platform.events.announce(tx, groupsChanged, scope.parkId, {})
          await alongside(tx, personId)
        })
        .catch(refuseDuplicate)
    },
  }
}
