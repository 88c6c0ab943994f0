/**
 * The persons and devices that a scope may see, as conditions of queries. Every context applies them to its own rows that name persons or
 * devices. They are the only queries that touch tables of other areas, so that pages and totals count what is shown.
 */
import { oneOf, sql } from '../database/database.ts'
import { seesWatchList, type Scope } from './session.ts'

/** The kind of persons on the watch list. */
const WATCHED = 'special'

/** The scope sees the person of a row. @param kind the column with the kind of person */
export const kindIsSeen = (scope: Scope, kind = 'person.kind') =>
  seesWatchList(scope) ? sql<boolean>`true` : sql<boolean>`${sql.ref(kind)} <> ${sql.lit(WATCHED)}`

/** A column contains no id of a deleted person who was on the watch list, of their contacts, or of their pseudonyms. */
const wasNotWatched = (id: string) => sql<boolean>`NOT EXISTS (SELECT 1 FROM former_watched WHERE former_watched.id = ${sql.ref(id)})`

/** A column contains the id of a person who is visible only with sight of the watch list, or was so when they were deleted. */
export const isWatched = (personId: string) =>
  sql<boolean>`(EXISTS (SELECT 1 FROM person AS watched WHERE watched.id = ${sql.ref(personId)} AND watched.kind = ${sql.lit(WATCHED)})
    OR NOT ${wasNotWatched(personId)})`

/** A column contains the id of a person who is on the watch list now. */
export const isOnWatchList = (personId: string) =>
  sql<boolean>`EXISTS (SELECT 1 FROM person AS watched WHERE watched.id = ${sql.ref(personId)} AND watched.kind = ${sql.lit(WATCHED)})`

/** The scope sees every person that a row names. @param personId the column with the id of a person, or null */
export const personIsSeen = (scope: Scope, personId: string) =>
  seesWatchList(scope)
    ? sql<boolean>`true`
    : sql<boolean>`(NOT EXISTS (SELECT 1 FROM person AS unseen WHERE unseen.id = ${sql.ref(personId)} AND unseen.kind = ${sql.lit(WATCHED)})
        AND ${wasNotWatched(personId)})`

/** The same for a column with the id of a contact, or null: a contact is visible where their person is. */
export const contactIsSeen = (scope: Scope, contactId: string) =>
  seesWatchList(scope)
    ? sql<boolean>`true`
    : sql<boolean>`(NOT EXISTS (SELECT 1 FROM person_contact JOIN person AS unseen ON unseen.id = person_contact.person_id
        WHERE person_contact.id = ${sql.ref(contactId)} AND unseen.kind = ${sql.lit(WATCHED)})
        AND ${wasNotWatched(contactId)})`

/** The groups of a list and all groups below them, computed once for a whole query. */
const reached = (groupIds: readonly string[]) => sql`ARRAY(
  WITH RECURSIVE reached AS (
    SELECT id FROM device_group WHERE id = ${oneOf(groupIds)}
    UNION SELECT device_group.id FROM device_group JOIN reached ON device_group.parent_id = reached.id)
  SELECT id FROM reached)`

/** The condition for every list of groups; true where there are none. */
const inEach = (scope: Scope, condition: (groupIds: readonly string[]) => ReturnType<typeof sql<boolean>>) => {
  const conditions = (scope.sees?.deviceGroups ?? []).map(condition)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` AND `)})`
}

/** The scope sees a group of devices. @param groupId the column with the id of a group, or null */
export const deviceGroupIsSeen = (scope: Scope, groupId: string) =>
  inEach(scope, (groupIds) => sql<boolean>`coalesce(${sql.ref(groupId)} = ANY (${reached(groupIds)}), false)`)

/**
 * The scope sees the device of a row; a deleted device is visible to scopes that see every device. The condition lists the ids of the
 * visible devices, which are few among millions of rows: an index by device finds each.
 * @param deviceId the column with the id of the device
 */
export const deviceIsSeen = (scope: Scope, deviceId: string) =>
  inEach(
    scope,
    (groupIds) =>
      sql<boolean>`${sql.ref(deviceId)} = ANY (ARRAY(SELECT seen.id FROM device AS seen WHERE seen.group_id = ANY (${reached(groupIds)})))`,
  )
