/**
 * The marks of changed blocks and the list of changes: each has a border of its own and a word, so that
 * nothing depends on colours.
 */
export const changeStyle = `
.change { margin: .8em 0; padding: .2em 0 .2em .8em; border-left: 3px solid #444 }
.change-label { margin: 0 0 .3em; font: 700 7.5pt 'Noto Sans', sans-serif; letter-spacing: .04em;
  text-transform: uppercase; color: #444; break-after: avoid }
.change-added { border-left: 3px solid #1a7f37 }
.change-added > .change-label { color: #1a7f37 }
.change-changed { border-left: 3px double #0550ae }
.change-changed > .change-label { color: #0550ae }
.change-removed { border-left: 3px dashed #b3261e }
.change-removed > .change-label { color: #b3261e }`;
