/**
 * Whom and which devices a scope lets its asker know of, as conditions of queries. Every context puts them to rows of its own that name
 * persons or devices: the one thing they ask of tables that are not theirs, so that pages and totals are of what is shown.
 */
import { oneOf, sql } from '../database/database.ts'
import { seesWatchList, type Scope } from './session.ts'

/** The kind of persons on the watch list. */
const WATCHED = 'special'

/** The person of a row exists for the asker. @param kind the column that says what kind of person it is */
export const kindIsSeen = (scope: Scope, kind = 'person.kind') =>
  seesWatchList(scope) ? sql<boolean>`true` : sql<boolean>`${sql.ref(kind)} <> ${sql.lit(WATCHED)}`

/** A column names nobody who was on the watch list when they were deleted, none of their contacts, and no pseudonym of theirs. */
const wasNotWatched = (id: string) => sql<boolean>`NOT EXISTS (SELECT 1 FROM former_watched WHERE former_watched.id = ${sql.ref(id)})`

/** A column names somebody who exists for nobody without sight of the watch list, or did not when they were deleted. */
export const isWatched = (personId: string) =>
  sql<boolean>`(EXISTS (SELECT 1 FROM person AS watched WHERE watched.id = ${sql.ref(personId)} AND watched.kind = ${sql.lit(WATCHED)})
    OR NOT ${wasNotWatched(personId)})`

/** A column names somebody who is on the watch list now. */
export const isOnWatchList = (personId: string) =>
  sql<boolean>`EXISTS (SELECT 1 FROM person AS watched WHERE watched.id = ${sql.ref(personId)} AND watched.kind = ${sql.lit(WATCHED)})`

/** A row names nobody who does not exist for the asker. @param personId the column that names a person, or nobody */
export const personIsSeen = (scope: Scope, personId: string) =>
  seesWatchList(scope)
    ? sql<boolean>`true`
    : sql<boolean>`(NOT EXISTS (SELECT 1 FROM person AS unseen WHERE unseen.id = ${sql.ref(personId)} AND unseen.kind = ${sql.lit(WATCHED)})
        AND ${wasNotWatched(personId)})`

/** The same for a column that names a contact, or nobody: a contact exists for whom the person does. */
export const contactIsSeen = (scope: Scope, contactId: string) =>
  seesWatchList(scope)
    ? sql<boolean>`true`
    : sql<boolean>`(NOT EXISTS (SELECT 1 FROM person_contact JOIN person AS unseen ON unseen.id = person_contact.person_id
        WHERE person_contact.id = ${sql.ref(contactId)} AND unseen.kind = ${sql.lit(WATCHED)})
        AND ${wasNotWatched(contactId)})`

/** Groups of a list and all below them, found once for a whole query. */
const reached = (groupIds: readonly string[]) => sql`ARRAY(
  WITH RECURSIVE reached AS (
    SELECT id FROM device_group WHERE id = ${oneOf(groupIds)}
    UNION SELECT device_group.id FROM device_group JOIN reached ON device_group.parent_id = reached.id)
  SELECT id FROM reached)`

/** What has to hold of each list of groups; of everything where there are none. */
const inEach = (scope: Scope, condition: (groupIds: readonly string[]) => ReturnType<typeof sql<boolean>>) => {
  const conditions = (scope.sees?.deviceGroups ?? []).map(condition)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` AND `)})`
}

/** A group of devices exists for the asker. @param groupId the column that names a group, or none */
export const deviceGroupIsSeen = (scope: Scope, groupId: string) =>
  inEach(scope, (groupIds) => sql<boolean>`coalesce(${sql.ref(groupId)} = ANY (${reached(groupIds)}), false)`)

/**
 * The device of a row exists for the asker; one that was deleted exists for whoever is shown every device. Asked by the ids of those devices,
 * which are few among millions of rows: an index by device finds each.
 * @param deviceId the column that names it
 */
export const deviceIsSeen = (scope: Scope, deviceId: string) =>
  inEach(
    scope,
    (groupIds) =>
      sql<boolean>`${sql.ref(deviceId)} = ANY (ARRAY(SELECT seen.id FROM device AS seen WHERE seen.group_id = ANY (${reached(groupIds)})))`,
  )
