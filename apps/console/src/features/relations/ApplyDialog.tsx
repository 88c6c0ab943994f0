/** Applies to another park by its code, with the persons of this park to share. */
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { PARK_AUTH_CODE_LENGTH } from '@gatehouse/contract'
import { areaCalls, verificationCode } from '@gatehouse/contract/organisation/areas'
import { relationCalls, type ParkRelation } from '@gatehouse/contract/relations/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useRead } from '../../api/query.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { SharedPeople } from './SharedPeople.tsx'

/** The park of a QR link. */
export interface OtherPark {
  code: string
  expires: number
  sign: string
}

/** The name of the park that a complete code belongs to. */
function ParkOfCode({ scannedPark }: { scannedPark: OtherPark | undefined }) {
  const { t } = useTranslation('relations')
  const code = String(Form.useWatch('authorisationCode') ?? '').toUpperCase()
  const link = scannedPark !== undefined && scannedPark.code === code && { expires: scannedPark.expires, sign: scannedPark.sign }
  const found = useRead(areaCalls.byVerificationCode, { query: { code, ...link } }, { enabled: verificationCode.safeParse(code).success })
  return <>{found.data ? t('codeOf', { park: found.data.parkName, company: found.data.companyName }) : t('codeHint')}</>
}

export default function ApplyDialog({ editor, scannedPark }: { editor: Editor<ParkRelation>; scannedPark: OtherPark | undefined }) {
  const { t } = useTranslation('relations')
  return (
    <FormDialog
      call={relationCalls.apply}
      editor={editor}
      title={t('apply')}
      submit={t('sendApplication')}
      initial={ready({ authorisationCode: scannedPark?.code ?? '', remark: '', personIds: [], personGroupIds: [] })}
      done={t('applied')}
      draft="relation.add"
    >
      <Form.Item
        name="authorisationCode"
        label={t('code')}
        required
        extra={<ParkOfCode scannedPark={scannedPark} />}
        normalize={(value: string) => value.toUpperCase()}
      >
        <Input maxLength={PARK_AUTH_CODE_LENGTH} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <SharedPeople />
      <Form.Item name="remark" label={t('remark')}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  )
}
