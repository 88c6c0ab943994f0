/**
 * Stored names of the records that a new installation and a new park contain. Screens show them in the user's language until they are
 * renamed.
 */

/** The time rule every park has: open all day, every day. */
export const ALWAYS_RULE_NAME = '24/7'
/** The person group of visitors, which a park has once the first visitor is admitted. */
export const VISITOR_GROUP_NAME = '访客'
/** The first user and the role of that user. */
export const ADMINISTRATOR_NAME = 'Administrator'
/** The face engine that comes with the product. */
export const BUILT_IN_ENGINE_NAME = 'Built-in engine'
