/** The words of one value in each language; an empty field restores the built-in word. */
import { Form } from 'antd'
import Input from 'antd/es/input/Input'
import { useTranslation } from 'react-i18next'
import { DICTIONARY_LABEL_MAX } from '@gatehouse/contract'
import { dictionaryCalls } from '@gatehouse/contract/system/dictionary'
import { takeOwnWords } from '../../../i18n/dictionary.ts'
import { LANGUAGE_NAMES } from '../../../i18n/index.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import type { EnumWords, Value } from './words.ts'

export default function WordDialog({ editor, of, version }: { editor: Editor<Value>; of: EnumWords; version: number }) {
  const { t } = useTranslation('system')
  const { value = '', words = [] } = editor.target ?? {}
  const labels = words.map(({ language, own }) => ({ enum: of.name, value, language, label: own ?? '' }))
  return (
    <FormDialog
      call={dictionaryCalls.change}
      editor={editor}
      width={480}
      title={t('dictionary.editTitle', { name: of.title, value })}
      initial={ready({ labels })}
      hidden={{ version }}
      done={t('dictionary.saved')}
      onDone={takeOwnWords}
      draft={`dictionary.${of.name}.${value}`}
    >
      {words.map(({ language, builtIn }, at) => (
        <Form.Item key={language} name={['labels', at, 'label']} label={LANGUAGE_NAMES[language]}>
          <Input lang={language} placeholder={builtIn} maxLength={DICTIONARY_LABEL_MAX} allowClear />
        </Form.Item>
      ))}
    </FormDialog>
  )
}
