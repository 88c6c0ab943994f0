/**
 * Every screen of the console for a user who has its permission and no other: it sends no request that is refused.
 * @module-tag extended
 */
import { walkScreensByPermission } from '../support/screen-walk.ts'

walkScreensByPermission()
