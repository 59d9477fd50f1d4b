-- What somebody does in Neovim with a pack, and what comes of it: a JSON file for tests/test_editors.py.
local told = {}

local function wait(what, holds)
  if not vim.wait(60000, holds, 20) then
    error("waited in vain: " .. what)
  end
end

local function findings()
  return vim.tbl_map(function(each)
    return { code = each.code, line = each.lnum + 1, column = each.col + 1, message = each.message }
  end, vim.diagnostic.get(0))
end

-- puts the cursor on a text
local function go_to(text)
  vim.fn.cursor(1, 1)
  return vim.fn.search("\\V" .. text, "cW")
end

local function is_there(text)
  return vim.fn.search("\\V" .. text, "nw") > 0
end

local function session()
  vim.cmd("edit cards/mine.yaml")
  wait("a client", function()
    return #vim.lsp.buf_get_clients(0) > 0
  end)
  local _, client = next(vim.lsp.buf_get_clients(0))
  wait("a finding", function()
    return #findings() > 0
  end)
  told.findings = findings()

  go_to("darw 1")
  vim.ui.select = function(items, options, choose)
    told.actions = vim.tbl_map(options.format_item or tostring, items)
    choose(items[1], 1)
  end
  vim.lsp.buf.code_action()
  wait("the fix", function()
    return is_there("draw 1")
  end)
  wait("no finding", function()
    return #findings() == 0
  end)
  told.fixed = vim.api.nvim_buf_get_lines(0, 0, -1, false)

  local row = go_to("agent: draw 1")
  vim.api.nvim_win_set_cursor(0, { row, 11 })
  local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", vim.lsp.util.make_position_params(), 60000)
  local items = vim.lsp.util.text_document_completion_list_to_complete_items(answers[client.id].result, "dra")
  told.completed = vim.tbl_map(function(each)
    return each.word
  end, items)

  go_to("mine_own")
  vim.lsp.buf.rename("mine_other")
  wait("another name", function()
    return is_there("mine_other")
  end)
  vim.cmd("silent wall")
  told.renamed = vim.api.nvim_buf_get_lines(0, 0, -1, false)

  go_to("mine_other")
  wait("what the card says, under its new name", function() -- it is understood a moment after it is written
    local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(), 60000)
    told.hover = hover[client.id].result.contents.value
    return string.find(told.hover, "Mine Own") ~= nil
  end)

  vim.cmd("silent %s/draw 1/draw   1/")
  wait("a form that is not the right one", function()
    return is_there("draw   1")
  end)
  local edits = vim.lsp.buf_request_sync(0, "textDocument/formatting", vim.lsp.util.make_formatting_params(), 60000)
  vim.lsp.util.apply_text_edits(edits[client.id].result, 0, client.offset_encoding)
  told.formatted = vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

local done, why = pcall(session)
told.problem = not done and tostring(why) or nil
vim.fn.writefile({ vim.fn.json_encode(told) }, vim.env.TOLD)
vim.cmd("qall!")
