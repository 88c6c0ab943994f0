/**
 * Every screen of the console for somebody who has the right to it and no other: it asks for nothing that it is refused.
 * @module-tag extended
 */
import { walkScreensByPermission } from '../support/screen-walk.ts'

walkScreensByPermission()
