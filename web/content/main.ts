/** The script of the content service's pages: a button beside each command that copies it. Without the script a click selects it. */
const { copy = '', copied = '' } = document.body.dataset;
const SHOWN_MS = 2000;

/** Says it to people who don't see the button change. */
const said = document.createElement('p');
said.className = 'unseen';
said.role = 'status';
document.body.append(said);

function addButton(block: HTMLElement): void {
  const text = block.textContent.trim();
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = copy;
  button.ariaLabel = `${copy}: ${text.slice(0, 80)}`;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // The browser doesn't allow it: the text is selected for the keyboard.
      getSelection()?.selectAllChildren(block.firstElementChild as Element);
      return;
    }
    button.textContent = copied;
    said.textContent = copied;
    setTimeout(() => {
      button.textContent = copy;
      said.textContent = '';
    }, SHOWN_MS);
  });
  block.append(button);
}

// Browsers have a clipboard for pages only on secure addresses.
if ('clipboard' in navigator) document.querySelectorAll<HTMLElement>('.copy').forEach(addButton);

export {};
