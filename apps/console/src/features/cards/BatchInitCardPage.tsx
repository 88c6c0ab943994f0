/** /batchInitCard: many init cards, put on the machine in turn. */
import { KeyCardPage } from './KeyCardPage.tsx'

export default function BatchInitCardPage() {
  return <KeyCardPage kind="init" tab="batchInitCard" many />
}
