import './styles/tokens.css'
import './styles/base.css'
import './styles/frame.css'
import './styles/parts.css'
import './styles/table.css'
// The styles of the views come after those that they refine.
import { render } from 'preact'
import { App } from './app'
import { applyTheme } from './theme'

applyTheme()
render(<App />, document.getElementById('app')!)
