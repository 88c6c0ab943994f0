/** /initCard. */
import { KeyCardPage } from './KeyCardPage.tsx'

export default function InitCardPage() {
  return <KeyCardPage kind="init" tab="initCard" />
}
