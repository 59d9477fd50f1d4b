-- dunerules in Neovim 0.7 and later, without plugins: put this file into ~/.config/nvim/plugin/.
-- Packs are YAML; the server is started for a YAML or PO file that lies in a pack, or beside packs.

local command = vim.g.dunerules_command or { "dunerules", "server" }

local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local found = vim.fn.findfile("pack.yaml", vim.fn.escape(folder, " ,;") .. ";")
  if found == "" then
    found = vim.fn.glob(folder .. "/*/pack.yaml", true, true)[1] or ""
    return found ~= "" and folder or nil
  end
  return vim.fn.fnamemodify(found, ":p:h")
end

local clients = {}

local function attach(buffer)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  if root == nil then
    return
  end
  local client = clients[root]
  if client == nil or vim.lsp.get_client_by_id(client) == nil then
    client = vim.lsp.start_client({
      name = "dunerules",
      cmd = command,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = vim.fn.fnamemodify(root, ":t") } },
      on_attach = function(_, attached)
        vim.bo[attached].omnifunc = "v:lua.vim.lsp.omnifunc"
      end,
    })
    clients[root] = client
  end
  if client ~= nil then
    vim.lsp.buf_attach_client(buffer, client)
  end
end

vim.api.nvim_create_autocmd("FileType", {
  group = vim.api.nvim_create_augroup("dunerules", { clear = true }),
  pattern = { "yaml", "po" },
  callback = function(event)
    attach(event.buf)
  end,
})
