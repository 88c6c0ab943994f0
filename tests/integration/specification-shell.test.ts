/** The calls of the shell (M03) and the upload of pictures (M01), sent as the specification writes them. */
import { parkCalls, uploadCalls } from '../support/specified/parks.ts'
import { trySpecified } from '../support/specified/specified.ts'

trySpecified([...parkCalls, ...uploadCalls])
